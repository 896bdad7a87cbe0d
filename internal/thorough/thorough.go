// Package thorough tells tests at which size to run. Tests that need minutes at full size
// take a part of it in go test ./... and all of it with the build tag thorough, which make
// thorough and make race set.
package thorough
