//go:build !race

package netorcai

const raced = false
