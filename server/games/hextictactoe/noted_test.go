package hextictactoe

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseOpenings(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "[]"},
		{"1. [1,0][0,1];\n2. [2,0][0,2]!;\n", "[o after 5]"},
		{"1. [1,0]\n[0,1];\n\n\n1. [1,0][0,1];2. [3,0][4,0];\n", "[x after 3 o after 5]"},
		{"name[a];\n\nname[b];1. [1,0][0,1];", "[o after 1 x after 3]"},
		{`{"to_move":"x","cells":[{"q":0,"r":0,"p":"x"}]}` + "\n1. [1,0][0,1];\n" + `{"to_move":"o","cells":[]}`, "[x after 1 x after 3 o after 0]"},
		{"\n\n1. [1,0][0,1]\n2.", "line 4: expected ;, but found \"2.\\n\""},
		{"1. [1,0][0,1];\n\n{\"to_move\":\"z\"}", "line 3: to_move is \"z\", it must be x or o"},
		{"{", "line 1: unexpected end of JSON input"},
		{strings.Repeat("{\"to_move\":\"o\"}\n", maxOpenings+1), "line 10001: more than 10000 positions"},
	} {
		list, err := parseOpenings(tt.text)
		var words []string
		for _, p := range list {
			words = append(words, fmt.Sprintf("%s after %d", p.ToMove, len(p.Pieces)))
		}
		got := "[" + strings.Join(words, " ") + "]"
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("parseOpenings(%.60q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

func FuzzOpenings(f *testing.F) {
	f.Add("{\"to_move\":\"o\",\"cells\":[{\"q\":0,\"r\":0,\"p\":\"x\"}]}\n\n1. [1,0][0,1];")
	f.Fuzz(func(t *testing.T, text string) {
		if list, err := parseOpenings(text); err != nil && list != nil {
			t.Fatalf("parseOpenings(%q) = %v and %v", text, list, err)
		}
	})
}
