package tui

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"
)

// Region is the last lines on a terminal, which are written over while something goes on. Text that
// is printed above them scrolls as usual. The cursor is in the line below them, so that typed text
// does not disturb them. It is not safe for concurrent use.
type Region struct {
	out     *os.File
	profile colorprofile.Profile
	lines   []string
	widths  []int // of the lines that are on the terminal, in columns
}

// NewRegion returns an empty region, or nil if out is not a terminal that can move its cursor.
func NewRegion(out io.Writer) *Region {
	if !IsTerminal(out) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	f := out.(*os.File)
	return &Region{out: f, profile: colorprofile.Detect(f, os.Environ())}
}

// Size returns the columns and rows that lines may take. A terminal that does not tell its size has
// the usual one.
func (r *Region) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(r.out.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows - 1
}

// Draw replaces the lines, which must fit into Size.
func (r *Region) Draw(lines []string) {
	var b bytes.Buffer
	r.erase(&b)
	r.lines = lines
	r.write(&b)
	_, _ = r.out.Write(b.Bytes()) // what cannot be shown is not worth an error
}

// Print prints a line above the region.
func (r *Region) Print(line string) {
	var b bytes.Buffer
	r.erase(&b)
	b.WriteString(line + "\n")
	r.write(&b)
	_, _ = r.out.Write(b.Bytes())
}

// Clear removes the lines.
func (r *Region) Clear() { r.Draw(nil) }

// erase removes the lines from the terminal. If it has become narrower, they take more rows than
// they did.
func (r *Region) erase(b *bytes.Buffer) {
	if len(r.widths) == 0 {
		return
	}
	columns, _ := r.Size()
	b.WriteByte('\r')
	for _, width := range r.widths {
		for range max(1, (width+columns-1)/columns) {
			b.WriteString("\x1b[A")
		}
	}
	b.WriteString("\x1b[J")
	r.widths = r.widths[:0]
}

// write writes the lines, with the colors that the terminal has.
func (r *Region) write(b *bytes.Buffer) {
	w := colorprofile.Writer{Forward: b, Profile: r.profile}
	for _, line := range r.lines {
		_, _ = io.WriteString(&w, line+"\n")
		r.widths = append(r.widths, lipgloss.Width(line))
	}
}

// clip returns the beginning of a text without colors that fits into some columns. A text that does
// not fit ends in an ellipsis.
func clip(text string, columns int) string {
	if lipgloss.Width(text) <= columns {
		return text
	}
	var b strings.Builder
	for used := 0; text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		if used += lipgloss.Width(string(r)); used > columns-1 {
			break
		}
		b.WriteRune(r)
		text = text[size:]
	}
	if columns > 0 {
		b.WriteString("…")
	}
	return b.String()
}
