package prompt

import (
	"strings"
	"testing"
)

// An unknown command is answered, but not in netorcai's place.
func TestUnknownCommand(t *testing.T) {
	for _, tt := range []struct {
		line     string
		netorcai bool
		want     string
	}{
		{"stat", false, `Unknown command "stat"; did you mean start?`},
		{"help", false, help + "\n"},
		{"", false, ""},
		{"stat", true, ""},
		{"help", true, ""},
	} {
		var out strings.Builder
		p := Prompt{Out: &out, Netorcai: tt.netorcai}
		p.Do(tt.line)
		if got := out.String(); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%q, netorcai %t: %q, want %q", tt.line, tt.netorcai, got, tt.want)
		}
	}
	variable := Variable{}
	variable.Name = "nb-turns-max"
	for _, netorcai := range []bool{false, true} {
		p := Prompt{Variables: []Variable{variable}, Netorcai: netorcai}
		if found := p.find("turns") != nil; found == netorcai {
			t.Errorf("netorcai %t: turns is found: %t", netorcai, found)
		}
	}
}
