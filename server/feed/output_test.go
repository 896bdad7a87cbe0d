package feed

import (
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// The debug and output of bots is limited and cannot break events.
func TestDebugAndOutput(t *testing.T) {
	turn := Turn{Step: 1, Delta: []byte("{}")}
	for _, debug := range []string{
		`{"text":"x"}`, "{\n\"text\": \"\xff\"}", "", "[]", "{",
		`{"text":"` + strings.Repeat("x", maxDebug) + `"}`,
	} {
		turn.Answers = append(turn.Answers,
			match.Answer{Input: engine.Input{Actions: []byte("[]")}, Debug: []byte(debug)})
	}
	turn.Printed = []recording.Output{
		{Player: 1, Lines: []string{strings.Repeat("x", maxPrinted-10), "a", "\xff\n"}, Lost: 3},
		{Player: 0, Lines: []string{"<b>\u2028"}},
	}
	e := parseTurn(t, &turn)
	for i, a := range e.Answers {
		if (a.Debug != nil) != (i < 2) {
			t.Errorf("answer %d: debug %v", i, a.Debug)
		}
	}
	if e.Answers[0].Debug["text"] != "x" || e.Answers[1].Debug["text"] != "\uFFFD" {
		t.Errorf("debug: %v, %v", e.Answers[0].Debug, e.Answers[1].Debug)
	}
	if len(e.Printed) != 2 || len(e.Printed[0].Lines) != 3 || e.Printed[0].Lost != 3 ||
		e.Printed[0].Lines[2] != "\uFFFD\n" || e.Printed[1].Lines[0] != "<b>\u2028" {
		t.Errorf("printed: %+v", e.Printed)
	}
	turn.Printed[0].Lines = append(turn.Printed[0].Lines, "one line more")
	if e = parseTurn(t, &turn); len(e.Printed[0].Lines) != 3 || e.Printed[0].Lost != 4 ||
		e.Printed[0].Lines[0] != "a" {
		t.Errorf("printed beyond the limit: %d lines, %d lost", len(e.Printed[0].Lines),
			e.Printed[0].Lost)
	}
}

// The feed shows what a bot prints before the start, in a turn and after the last one.
func TestPrinted(t *testing.T) {
	pages := new(recording.Pages)
	d := newTestMatch(t, Options{Printed: pages, Describe: func(remote string) recording.Bot {
		return recording.Bot{Label: map[string]string{"10.0.0.1": "bob.py"}[remote]}
	}})
	pages.Print("bob.py", "hello")
	d.begin()
	pages.Print("bob.py", "thinking")
	d.show(&Turn{Step: 1, Delta: []byte("{}"), Printed: pages.At(1, time.Time{})})
	pages.Print("bob.py", "goodbye")
	d.Ended(&match.Ending{Steps: 1})
	for i, e := range readAll(t, d.From(0)) {
		want := []string{"hello", "thinking", "goodbye"}[i]
		if len(e.Printed) != 1 || e.Printed[0].Player != 1 || e.Printed[0].Lines[0] != want {
			t.Errorf("%s event: printed %+v, want %s by player 1", e.Type, e.Printed, want)
		}
	}
}
