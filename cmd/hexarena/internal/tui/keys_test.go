package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Keys pause the match, play one turn of it and change its speed, in the order in which they are
// pressed.
func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want []string
		line string // part of what is shown then
	}{
		{"pause", []string{"space"}, []string{"pause true"}, "paused"},
		{"go on", []string{"space", "space"}, []string{"pause true", "pause false"}, "space pause"},
		{"step", []string{".", "n"}, []string{"step", "step"}, "space go on"},
		{"go on after a step", []string{".", "space"}, []string{"step", "pause false"}, "space pause"},
		{"full speed and back", []string{"f", "f"}, []string{
			"pace {true 0}", "pace {false 0}",
		}, "f full speed"},
		{"slower and faster", []string{"-", "-", "+", "="}, []string{
			"pace {false 1}", "pace {false 2}", "pace {false 1}", "pace {false 0}",
		}, "f full speed"},
		{"slower than full speed", []string{"f", "-"}, []string{
			"pace {true 0}", "pace {false 1}",
		}, "f full speed"},
		{"bounds", strings.Fields(strings.Repeat("- ", 7)), []string{
			"pace {false 1}", "pace {false 2}", "pace {false 3}", "pace {false 4}", "pace {false 5}",
			"pace {false 6}", "pace {false 6}",
		}, "f full speed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cells, state := everything()
			m := newModel(t, cells, state, 0, "painter", "my_bot.py", "c")
			m.width, m.height = 80, 12
			controls := make(chan func(), 16)
			m.controls = controls
			var got []string
			m.match = Match{
				Pace:  func(s Speed) { got = append(got, fmt.Sprint("pace ", s)) },
				Pause: func(paused bool) { got = append(got, fmt.Sprint("pause ", paused)) },
				Step:  func() { got = append(got, "step") },
			}
			for _, key := range tt.keys {
				m.press(key)
			}
			close(controls)
			for do := range controls {
				do()
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if text := stripped(m.draw()); !strings.Contains(text, tt.line) {
				t.Errorf("the view has no %q:\n%s", tt.line, text)
			}
		})
	}
}
