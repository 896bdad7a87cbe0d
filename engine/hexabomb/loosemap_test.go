package hexabomb

import (
	"reflect"
	"strings"
	"testing"
)

// TestLooseMap checks that text tolerated by the original's reader does not change the
// map.
func TestLooseMap(t *testing.T) {
	want, err := ParseMap([]byte(tinyMap))
	if err != nil {
		t.Fatal(err)
	}
	with := func(extra string) string {
		return strings.Replace(tinyMap, `"name":["ignored"]`, extra,
			1)
	}
	for name, text := range map[string]string{
		"plain":                      tinyMap,
		"text after the object":      tinyMap + " and more } {[\"",
		"a comma after the object":   tinyMap + ",",
		"a comma after the last key": with(`"name":0 ` + "\n,\t"),
		"commas in arrays":           strings.ReplaceAll(tinyMap, "]", ", ]"),
		"commas in objects":          strings.ReplaceAll(tinyMap, "}", ",}"),
		"a key nested 600 deep": with(
			`"x":` + strings.Repeat("[", 600) + `"]}"` + strings.Repeat("]", 600)),
		"objects nested 600 deep": with(strings.Repeat(`"x":{`, 600) + strings.Repeat("}", 600)),
		"a huge number":           with(`"x":1e999`),
		"huge numbers":            with(`"x":[-1E+999,{"y":` + strings.Repeat("9", 400) + `}]`),
		"brackets in a text":      with(`"x":"\"}]},"`),
		"a huge number in a cell": strings.Replace(tinyMap, `"color":7`, `"color":1e999`, 1),
	} {
		got, err := ParseMap(Loosen([]byte(text)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
}

// TestLooseMapRefuses checks that all other mistakes are reported at their place.
func TestLooseMapRefuses(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{`{"q":1,"r":0}`, `{"q":0,"r":0}`, "is already there"},
		{`"q":1,"r":0}`, `"q":1073741825,"r":0}`, "is beyond"},
		{`"q":1,"r":0}`, `"q":1e999,"r":0}`, "is not an integer"},
		{`"q":1,"r":0}`, `"q":[[[[[[[[1]]]]]]]],"r":0}`, "is not an integer"},
		{`"q":1,"r":0}`, `"q":1,,"r":0}`, "not a JSON text: line 1"},
		{`["ignored"]`, `["ignored",,]`, "not a JSON text: line 3"},
		{`["ignored"]`, `[1e999e]`, "JSON number out of range"},
		{`["ignored"]`, `[0x1]`, "not a JSON text: line 3"},
		{`["ignored"]}`, `["ignored"]`, "not a JSON text"},
		{`["ignored"]}`, `["ignored"}`, "not a JSON text"},
		{tinyMap, ``, "not a JSON text"},
		{tinyMap, `"`, "not a JSON text"},
		{tinyMap, `}`, "not a JSON text"},
		{tinyMap, strings.Repeat("[", 600), "not a JSON text"},
	} {
		_, err := ParseMap(Loosen([]byte(strings.Replace(tinyMap, tt.old, tt.new, 1))))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("with %s: %v, want %q", tt.new, err, tt.want)
		}
	}
}

// FuzzLoosen checks that Loosen keeps a text's length and the meaning of a valid map.
func FuzzLoosen(f *testing.F) {
	for _, text := range []string{
		tinyMap, tinyMap + "x", "{", "]", `"\`, `[1e999,]`, strings.Repeat("[", 20),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		text := Loosen(data)
		if len(text) != len(data) || string(data) != before {
			t.Fatalf("Loosen(%q) = %q", before, text)
		}
		m, err := ParseMap(data)
		if err != nil {
			return
		}
		if loose, err := ParseMap(text); err != nil || !reflect.DeepEqual(m, loose) {
			t.Errorf("%q: %+v, loosened %+v, %v", data, m, loose, err)
		}
	})
}
