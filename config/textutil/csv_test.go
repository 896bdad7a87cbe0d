package textutil

import (
	"strings"
	"testing"
)

// A text is neither computed by a spreadsheet nor interpreted by a terminal, and a number stays
// one.
func TestCSV(t *testing.T) {
	var b strings.Builder
	c := NewCSV(&b)
	c.Write("bot", "elo", "remark")
	c.Write("=1+2", "-12.5", "a, \"b\"")
	c.Write("@SUM(A1)", "+3", "\x1b[2J\u202e")
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "bot,elo,remark\r\n'=1+2,-12.5,\"a, \"\"b\"\"\"\r\n'@SUM(A1),+3,\uFFFD[2J\uFFFD\r\n"
	if got := b.String(); got != want {
		t.Errorf("it writes %q, want %q", got, want)
	}
}
