// Package learn holds the Python files of programs that learn: the module that plays many matches
// at once, a program that trains, and the bot that plays what it trained. hexarena new --learn
// writes them.
package learn

import _ "embed"

// The names of the files.
const (
	ModuleName = "hexarena_env.py"
	TrainName  = "train.py"
	PolicyName = "policy.py"
)

// Module is the source of the module, Train that of the program, and Policy that of the bot.
var (
	//go:embed hexarena_env.py
	Module []byte
	//go:embed train.py
	Train []byte
	//go:embed policy.py
	Policy []byte
)
