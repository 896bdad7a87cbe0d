//go:build !thorough

package thorough

// Enabled reports whether tests run at full size.
const Enabled = false
