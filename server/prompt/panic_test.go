package prompt

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/match"
)

// A command that panics is logged, and the next one is executed.
func TestPanicInACommand(t *testing.T) {
	var log bytes.Buffer
	quit := false
	p := Prompt{
		Match: func() *match.Match { panic("no match") }, Out: &bytes.Buffer{},
		Quit: func() { quit = true }, Log: zerolog.New(&log),
	}
	p.Read(strings.NewReader("start\nquit\n"))
	if !quit {
		t.Error("the next command was not executed")
	}
	if text := log.String(); strings.Count(text, `"panic":"no match"`) != 1 ||
		!strings.Contains(text, `"command":"start"`) {
		t.Errorf("the log is %s", text)
	}
}
