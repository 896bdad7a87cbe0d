package textutil

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "longe…"},
		{"four" + "ü" + "x", 5, "four…"},
		{"", 0, ""},
	} {
		if got := Clip(tt.text, tt.limit); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"port", "nb-turns-max", "seed"}
	for _, tt := range []struct {
		name, want string
		distance   int
	}{
		{"prot", "port", 2},
		{"PORT", "port", 0},
		{"nb-turn-max", "nb-turns-max", 1},
		{"", "port", 4},
		{strings.Repeat("x", 1<<20), "nb-turns-max", 63},
	} {
		if got, d := Nearest(tt.name, names); got != tt.want || d != tt.distance {
			t.Errorf("Nearest(%.20q) = %s, %d, want %s, %d", tt.name, got, d, tt.want, tt.distance)
		}
	}
	if got, d := Nearest("x", nil); got != "" || d != 0 {
		t.Errorf("Nearest without names = %q, %d", got, d)
	}
}

func TestMinus(t *testing.T) {
	for text, want := range map[string]string{
		"-3.5":                  "−3.5",
		"a-1: -3 Elo (-5 to 1)": "a-1: −3 Elo (−5 to 1)",
		"- 1-2":                 "- 1-2",
	} {
		if got := Minus(text); got != want {
			t.Errorf("Minus(%q) = %q, want %q", text, got, want)
		}
	}
}
