package prompt

import (
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	names := []string{"nb-turns-max", "nb-players-max", "delay-first-turn", "delay-turns"}
	tests := []struct{ line, want, shown string }{
		{"", "|", "start  quit  print   set   help"},
		{"p|", "print |", ""},
		{"s|", "s|", "start  set "},
		{"sta|", "start|", ""},
		{"  pri|", "  print |", ""},
		{"print |", "print |", "nb-turns-max  nb-players-max  delay-first-turn  delay-turns  all"},
		{"print n|", "print nb-|", ""},
		{"print nb-t|", "print nb-turns-max|", ""},
		{"print a|", "print all|", ""},
		{"print nb-t|=5", "print nb-turns-max|=5", ""},
		{"set delay-|", "set delay-|", "delay-first-turn=  delay-turns="},
		{"set d|", "set delay-|", ""},
		{"set delay-t|", "set delay-turns=|", ""},
		{"set all|", "set all|", ""},
		{"print x|", "print x|", ""},
		{"print nb-turns-max n|", "print nb-turns-max n|", ""},
		{"start |", "start |", ""},
		{"日本|", "日本|", ""},
	}
	for _, tt := range tests {
		shown := ""
		c := completer{names: names, show: func(s string) { shown = s }}
		before, after, _ := strings.Cut(tt.line, "|")
		line, pos, ok := c.key(before+after, len(before), '\t')
		if got := line[:pos] + "|" + line[pos:]; !ok || got != tt.want || shown != tt.shown {
			t.Errorf("Tab at %q = %q, %v, shows %q; want %q, %q", tt.line, got, ok, shown, tt.want, tt.shown)
		}
	}
	if _, _, ok := (completer{}).key("p", 1, 'r'); ok {
		t.Error("a letter was taken for Tab")
	}
}
