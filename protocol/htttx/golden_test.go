package htttx

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the decoders' results to testdata")

// decoders parse a text and return lines about the result: = begins the result encoded
// again, ~ something ignored, ! an error.
var decoders = map[string]func(text []byte) []string{
	"from_server": func(b []byte) []string { return again(ParseFromServer(b)) },
	"from_bot": func(b []byte) []string {
		p, err := ParseFromBot(b)
		lines := again(p, err)
		if m, ok := p.(MoveResponse); ok {
			lines = append(lines, prefixed("~ ", m.Ignored)...)
		}
		return lines
	},
	"turn_request": func(b []byte) []string {
		m, pieces, err := ParseTurnRequest(b)
		if err != nil {
			return fault(err)
		}
		return []string{"= " + string(m.Append(nil)), fmt.Sprintf("= %d pieces", len(pieces))}
	},
	"turn_response": func(b []byte) []string {
		m, err := ParseTurnResponse(b)
		if err != nil {
			return fault(err)
		}
		return append([]string{"= " + string(AppendTurnResponse(nil, m))}, prefixed("~ ", m.Ignored)...)
	},
	"capabilities": func(b []byte) []string {
		c, err := ParseCapabilities(b)
		if err != nil {
			return fault(err)
		}
		return append([]string{"= " + string(c.Append(nil))}, prefixed("~ ", c.Warnings)...)
	},
	"new_game": func(b []byte) []string {
		g, err := ParseNewGame(b)
		if err != nil {
			return fault(err)
		}
		return []string{fmt.Sprintf("= %+v", g)}
	},
}

func again(p Packet, err error) []string {
	if err != nil {
		return fault(err)
	}
	return []string{"= " + string(p.Append(nil))}
}

func fault(err error) []string {
	if _, ok := err.(*Fault); !ok {
		return []string{fmt.Sprintf("! of type %T: %v", err, err)}
	}
	return []string{"! " + err.Error()}
}

func prefixed(mark string, texts []string) (lines []string) {
	for _, text := range texts {
		lines = append(lines, mark+text)
	}
	return lines
}

// golden is a text and the expected lines of a decoder.
type golden struct {
	comment []string
	text    string
	lines   []string
}

// goldens reads testdata/name.txt: lines that begin with > are texts, followed by the
// expected lines of the decoder; # begins a comment.
func goldens(t testing.TB, name string) (list []golden) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var comment []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
			comment = append(comment, line)
		case strings.HasPrefix(line, "> "):
			list = append(list, golden{comment: comment, text: line[2:]})
			comment = nil
		case line != "":
			last := &list[len(list)-1]
			last.lines = append(last.lines, line)
		}
	}
	return list
}

func TestGolden(t *testing.T) {
	for name, decode := range decoders {
		var out bytes.Buffer
		for _, g := range goldens(t, name) {
			got := decode([]byte(g.text))
			if !*update && strings.Join(got, "\n") != strings.Join(g.lines, "\n") {
				t.Errorf("%s %s:\ngot  %s\nwant %s", name, g.text, strings.Join(got, "\n     "),
					strings.Join(g.lines, "\n     "))
			}
			for _, line := range append(append(g.comment, "> "+g.text), got...) {
				fmt.Fprintln(&out, line)
			}
		}
		if *update {
			if err := os.WriteFile(filepath.Join("testdata", name+".txt"), out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// fuzzDecoder checks that what was parsed survives being encoded, and is valid JSON.
func fuzzDecoder(f *testing.F, name string) {
	for other := range decoders {
		for _, g := range goldens(f, other) {
			f.Add([]byte(g.text))
		}
	}
	decode := decoders[name]
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := decode(text)
		written, ok := strings.CutPrefix(lines[0], "= ")
		if !ok || name == "new_game" {
			return
		}
		if !json.Valid([]byte(written)) {
			t.Fatalf("%s %q was written as %q, which is not JSON", name, text, written)
		}
		if again := decode([]byte(written)); again[0] != lines[0] {
			t.Fatalf("%s %q was written as %q, and that as %q", name, text, lines[0], again[0])
		}
	})
}

func FuzzFromServer(f *testing.F)   { fuzzDecoder(f, "from_server") }
func FuzzFromBot(f *testing.F)      { fuzzDecoder(f, "from_bot") }
func FuzzTurnRequest(f *testing.F)  { fuzzDecoder(f, "turn_request") }
func FuzzTurnResponse(f *testing.F) { fuzzDecoder(f, "turn_response") }
func FuzzCapabilities(f *testing.F) { fuzzDecoder(f, "capabilities") }
func FuzzNewGame(f *testing.F)      { fuzzDecoder(f, "new_game") }
