package htttx

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var sample = Record{
	Tags: []Tag{
		{TagVersion, "1"},
		{TagName, "first of three"},
		{TagPlatform, "hexarena"},
		{TagUTCDateTime, time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC).Format(TagTimeLayout)},
		{TagPlayerCross, "Ann"},
		{TagPlayerCircle, "Bob"},
		{TagTimeControl, TimeControl{time.Minute, 500 * time.Millisecond}.String()},
		{TagEndReason, "win"},
		{TagWinner, "circle"},
	},
	Moves: []RecordedMove{
		{Pieces: []Cell{{1, 0}, {0, 1}}},
		{Pieces: []Cell{{-1, 2}, {3, -4}}, Mark: "!?"},
		{Pieces: []Cell{{100, -2147483648}}, Mark: "!"},
	},
}

func TestNotationGolden(t *testing.T) {
	name := filepath.Join("testdata", "game.htttx")
	if *update {
		if err := os.WriteFile(name, sample.AppendText(nil), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(sample.AppendText(nil)); got != string(text) {
		t.Errorf("written:\n%s\nwant:\n%s", got, text)
	}
	if got, err := ParseNotation(string(text)); err != nil || !reflect.DeepEqual(got, sample) {
		t.Errorf("ParseNotation(%s) = %+v, %v, want %+v", text, got, err, sample)
	}
}

func TestNotationReads(t *testing.T) {
	two := []RecordedMove{
		{Pieces: []Cell{{1, 0}, {0, 1}}}, {Pieces: []Cell{{2, 0}, {0, 2}}, Mark: "?"},
	}
	for _, tt := range []struct {
		text string
		want Record
	}{
		{"", Record{}},
		{" \r\n\t", Record{}},
		{"1. [1,0][0,1];2. [2,0][0,2]?;", Record{Moves: two}},
		{"\ufeff1.[ +1 , 0 ]\r\n[0,1] ;\n\n 2 . [2,0] [0,2] ? ;", Record{Moves: two}},
		{"name[a, b; c]winner[];", Record{Tags: []Tag{{"name", "a, b; c"}, {"winner", ""}}}},
		{"version[1];\nname[x];", Record{Tags: []Tag{{"version", "1"}, {"name", "x"}}}},
		{"mine[kept]", Record{Tags: []Tag{{"mine", "kept"}}}},
		{"1. [1,0][0,1]!!!!;", Record{
			Moves: []RecordedMove{{Pieces: []Cell{{1, 0}, {0, 1}}, Mark: "!!!!"}},
		}},
		{"1. [1,-1] [/];", Record{Moves: []RecordedMove{{Pieces: []Cell{{1, -1}}}}}},
	} {
		if got, err := ParseNotation(tt.text); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("ParseNotation(%q) = %+v, %v, want %+v", tt.text, got, err, tt.want)
		}
	}
}

func TestNotationFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"2. [1,0][0,1];", "line 1: expected move 1, but found move 2"},
		{"1. [1,0][0,1];\n\n1. [1,1][2,2];", "line 3: expected move 2, but found move 1"},
		{"1. [1,0];\n2. [1,1][2,2];", "line 2: move 1 has one piece, but the game continues"},
		{"1. [1,0][0,1]", "line 1: expected ;, but the text ends"},
		{"1. [1,0][0,1][2,2];", `line 1: expected ;, but found "[2,2];"`},
		{"1. [1,0][0,1]!!?;", `line 1: move 1 has the mark "!!?"; a mark is any number of !, or at most two of ! and ?`},
		{"1 [1,0][0,1];", `line 1: expected ., but found "[1,0][0,1]"`},
		{"1. ;", `line 1: expected [, but found ";"`},
		{"1. [1.5,0][0,1];", `line 1: expected ,, but found ".5,0][0,1]"`},
		{"1. [a,0][0,1];", `line 1: "" is not a coordinate`},
		{"1. [1,0][0,2147483648];", `line 1: "2147483648" is not a coordinate`},
		{"1. [--1,0][0,1];", `line 1: "--1" is not a coordinate`},
		{"name[x", `line 1: the value of "name" has no closing ]`},
		{"name[x\n];", `line 1: the value of "name" has no closing ]`},
		{"name", "line 1: expected [, but the text ends"},
		{"name[x]\nname[y];", `line 2: the key "name" is repeated`},
		{"1. [1,0][0,1];\nname[y];", `line 2: the key "name" follows a move`},
		{"{hello}", `line 1: expected a key or the number of a move, but found "{hello}"`},
	} {
		_, err := ParseNotation(tt.text)
		var fault *NotationError
		if !errors.As(err, &fault) || err.Error() != tt.want {
			t.Errorf("ParseNotation(%q): error = %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestTimeControl(t *testing.T) {
	for text, want := range map[string]TimeControl{
		"60+0.5": {time.Minute, 500 * time.Millisecond},
		"300":    {5 * time.Minute, 0},
		"0.25+0": {250 * time.Millisecond, 0},
	} {
		if got, err := ParseTimeControl(text); err != nil || got != want {
			t.Errorf("ParseTimeControl(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{
		"", "0+1", "-1", "60+", "60+-1", "60+1+1", "NaN", "60+NaN", "Inf", "1e9", "sixty",
	} {
		if got, err := ParseTimeControl(bad); err == nil {
			t.Errorf("ParseTimeControl(%q) = %v, want an error", bad, got)
		}
	}
}

func TestTagsAreMadeSafe(t *testing.T) {
	r := Record{Tags: []Tag{{TagName, "a[b]\nc\x1b[m"}}}
	if got, want := string(r.AppendText(nil)), "name[a(b) c (m];\n"; got != want {
		t.Errorf("AppendText = %q, want %q", got, want)
	}
}

// FuzzNotation checks that every game that parses survives being written and parsed again.
func FuzzNotation(f *testing.F) {
	f.Add(string(sample.AppendText(nil)))
	f.Add("version[2];\n1. [-1,0] [0,-1] ;\n2. [1,0]  [2,0]  ;\n3. [5,0]  [/]    ;")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseNotation(text)
		if err != nil {
			return
		}
		for i := range r.Tags {
			r.Tags[i].Value = strings.Map(tagSafe, r.Tags[i].Value)
		}
		written := string(r.AppendText(nil))
		if again, err := ParseNotation(written); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%q read as %+v, was written as %q, and read as %+v, %v", text, r, written, again, err)
		}
		if strings.Contains(written, "\r") {
			t.Fatalf("%q was written as %q", text, written)
		}
	})
}
