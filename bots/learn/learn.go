// Package learn holds the Python module for programs that learn, and an example that uses it: what
// hexarena new --learn writes.
package learn

import _ "embed"

// The names of the files.
const (
	ModuleName  = "hexarena_env.py"
	ExampleName = "example.py"
)

// Module is the source of the module, and Example that of the example.
var (
	//go:embed hexarena_env.py
	Module []byte
	//go:embed example.py
	Example []byte
)
