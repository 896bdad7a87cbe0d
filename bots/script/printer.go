package script

import (
	"fmt"
	"io"
	"strings"
)

// maxPrinted is how much a script may print while it handles a message, in bytes: more than a
// person reads, and little enough that a loop that prints costs no more than one that does not.
const maxPrinted = 1 << 20

// printer prints what a script tells its author.
type printer struct {
	out     io.Writer
	printed int // since the last message
}

// begin allows the script to print again.
func (p *printer) begin() { p.printed = 0 }

// print prints a text and a line feed.
func (p *printer) print(text string) {
	if p.printed > maxPrinted {
		return
	}
	if p.printed += len(text) + 1; p.printed > maxPrinted {
		text = fmt.Sprintf("[more than %d KiB were printed in one turn: the rest is left out]",
			maxPrinted>>10)
	}
	_, _ = io.WriteString(p.out, strings.TrimRight(text, "\n")+"\n") // who reads it may be gone
}
