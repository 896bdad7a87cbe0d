package cli

import (
	"io"

	"github.com/hexarena/hexarena/server/games"
)

// Program is what a command knows of its program, and its streams.
type Program struct {
	Games   games.List
	Version string
	Commit  string // from which the program was built; empty: it is not known

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}
