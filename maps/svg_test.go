package maps

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the pictures of the shipped maps to docs")

const pictures = "../docs/img/maps"

// TestPicturesAreUpToDate compares the pictures in the documentation with the output of SVG.
func TestPicturesAreUpToDate(t *testing.T) {
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := SVG(&b, m, Describe(name, m)); err != nil {
			t.Fatal(err)
		}
		checkXML(t, b.Bytes())
		file := filepath.Join(pictures, name+".svg")
		if *update {
			if err := os.MkdirAll(pictures, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, b.Bytes()) {
			t.Errorf("%s is out of date (%v); run go test ./maps -run Pictures -update", file, err)
		}
	}
}

func TestSVGOfManyPlayers(t *testing.T) {
	m := generate(t, Options{Players: 300})
	var b bytes.Buffer
	if err := SVG(&b, m, Info{Name: `<&"`, Players: 300}); err != nil {
		t.Fatal(err)
	}
	checkXML(t, b.Bytes())
	if !strings.Contains(b.String(), "… 299</text>") || !strings.Contains(b.String(), "&lt;&amp;&#34;</text>") {
		t.Error("the legend does not end with player 299, or the name is not escaped")
	}
}

func TestSVGReportsFailedWrites(t *testing.T) {
	m, err := Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	r.Close()
	if err := SVG(w, m, Info{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("SVG to a closed pipe = %v, want %v", err, io.ErrClosedPipe)
	}
}

// checkXML checks that data is one XML element and that all references in it can be resolved.
func checkXML(t *testing.T, data []byte) {
	t.Helper()
	ids, used := map[string]bool{}, map[string]bool{}
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, _ := token.(xml.StartElement)
		for _, a := range start.Attr {
			switch a.Name.Local {
			case "id":
				if ids[a.Value] {
					t.Errorf("two elements have the id %q", a.Value)
				}
				ids[a.Value] = true
			case "href":
				used[strings.TrimPrefix(a.Value, "#")] = true
			}
		}
	}
	for id := range used {
		if !ids[id] {
			t.Errorf("no element has the id %q", id)
		}
	}
}
