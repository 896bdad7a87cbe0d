//go:build !windows

package prompt

import "os"

// enableEscapes does nothing: these terminals support escape sequences.
func enableEscapes(*os.File) (undo func()) { return func() {} }
