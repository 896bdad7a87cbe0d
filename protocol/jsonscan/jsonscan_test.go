package jsonscan

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

var samples = []string{
	``, ` `, `null`, `true`, `false`, `nul`, `truex`, `0`, `-0`, `-`, `01`, `1.`, `.5`, `1.5e3`, `1e`,
	`1e+`, `1E-7`,
	`1e308`, `1e309`, `-1e400`, `1e-999`, strings.Repeat("9", 400), `"a"`, `"`, `"\"`, `"\u12"`,
	`"\u00e9\n\/"`,
	`"\x"`, "\"\t\"", "\"\xff\"", `[]`, `[ ]`, `[1,]`, `[,1]`, `[1 2]`, `[1,[2,{"a":null}]]`, `{}`,
	`{ }`, `{"a"}`,
	`{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":1}x`, ` {"a" : [ 1 , 2 ] } ` + "\n",
	"\xef\xbb\xbf{}",
	`{"a":1,"a":2,"\u0061":3}`, `[1.0,2e0,-3,12345678901234567890]`, `["\ud83d\ude00","\ud83d"]`,
	"[\x00]",
	strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth),
	strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1),
}

// agree compares Parse and a walk over all values with encoding/json.
func agree(t *testing.T, text []byte) {
	t.Helper()
	v, err := Parse(text)
	var want any
	wantErr := json.Unmarshal(text, &want)
	if errors.Is(err, ErrDepth) {
		return
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Parse(%q) error = %v, encoding/json says %v", text, err, wantErr)
	}
	if err != nil {
		Value(text).walk() // must not panic
		return
	}
	got, _ := json.Marshal(v.walk())
	exp, _ := json.Marshal(want)
	if string(got) != string(exp) {
		t.Fatalf("walk over %q = %s, want %s", text, got, exp)
	}
}

// walk builds the tree that encoding/json would build.
func (v Value) walk() any {
	switch v.Kind() {
	case Bool:
		return v[0] == 't'
	case Number:
		f, _ := v.Float()
		return f
	case String:
		return v.Text()
	case Array:
		list := []any{}
		for _, x := range v.Elements() {
			list = append(list, x.walk())
		}
		return list
	case Object:
		m := map[string]any{}
		for k, x := range v.Fields() {
			m[k.Text()] = x.walk()
		}
		return m
	}
	return nil
}

func TestAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range samples {
		agree(t, []byte(s))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(agree)
}

func TestSelect(t *testing.T) {
	names := []string{"a", "b", "long name of a field"}
	for text, want := range map[string][]string{
		`{}`:                      {"", "", ""},
		` {"b" : [1, {"a":2}] } `: {"", `[1, {"a":2}]`, ""},
		`{"a":1,"c":2,"a":"x"}`:   {`"x"`, "", ""},
		`{"A":1,"\u0061":null}`:   {"null", "", ""},
		`{"long name of a field":{"a":1},"b":"\"}"}`: {"", `"\"}"`, `{"a":1}`},
		`[{"a":1}]`: {"", "", ""},
		`"a"`:       {"", "", ""},
	} {
		vals := make([]Value, len(names))
		whole, err := Select([]byte(text), names, vals)
		if err != nil || string(whole) != strings.TrimSpace(text) {
			t.Errorf("Select of %s = %s, %v", text, whole, err)
		}
		for i := range names {
			if string(vals[i]) != want[i] {
				t.Errorf("Select of %s: %s is %s, want %s", text, names[i], vals[i], want[i])
			}
		}
	}
	if _, err := Select([]byte(`{"a":1`), names, make([]Value, len(names))); !errors.Is(err, ErrSyntax) {
		t.Errorf("Select of half an object: %v", err)
	}
}

// TestStringsOfAllLengths puts each byte that is special in a string, and some of its
// neighbours, at every place of strings around eight bytes long, the number of bytes that
// are examined at once.
func TestStringsOfAllLengths(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for _, c := range []byte("\x00\n\x1f !\"#[\\]\x7f\x80\xa2\xdc\xff") {
				text := []byte(`"` + strings.Repeat("x", length) + `"`)
				text[1+at] = c
				agree(t, text)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	for depth, want := range map[int]error{
		64: nil, MaxDepth: nil, MaxDepth + 1: ErrDepth, 1 << 20: ErrDepth,
	} {
		text := strings.Repeat(`{"a":[`, depth/2) + strings.Repeat("[", depth%2) +
			strings.Repeat("]", depth%2) + strings.Repeat("]}", depth/2)
		if _, err := Parse([]byte(text)); !errors.Is(err, want) {
			t.Errorf("Parse of %d levels = %v, want %v", depth, err, want)
		}
		if Deeper([]byte(text), depth) || !Deeper([]byte(text), depth-1) {
			t.Errorf("Deeper is wrong about %d levels", depth)
		}
	}
}

func TestDeeper(t *testing.T) {
	for text, levels := range map[string]int{
		`1`: 0, `"[[["`: 0, `"\"[[["`: 0, `[]`: 1, `[[],[[]],{}]`: 3, `{"[[":"]]","a":{"b":[]}}`: 3,
	} {
		if Deeper([]byte(text), levels) || levels > 0 && !Deeper([]byte(text), levels-1) {
			t.Errorf("Deeper is wrong about the %d levels of %s", levels, text)
		}
	}
	for _, text := range []string{"", `"`, `]]]`, `"[`, `"\`} { // malformed
		Deeper([]byte(text), 0)
	}
}

func TestInt32(t *testing.T) {
	good := map[string]int32{
		"0": 0, "-0": 0, "7": 7, "-12": -12, "2.0": 2, "2e0": 2, "0.2e1": 2, "-3.000": -3,
		"2147483647": math.MaxInt32, "-2147483648": math.MinInt32, "1e-400": 0,
	}
	for text, want := range good {
		if n, ok := Value(text).Int32(); !ok || n != want {
			t.Errorf("Int32(%s) = %d, %v, want %d", text, n, ok, want)
		}
	}
	for _, text := range []string{
		"", "-", "1.5", "2147483648", "-2147483649", "1e300", `"1"`, "null", "[1]",
	} {
		if n, ok := Value(text).Int32(); ok {
			t.Errorf("Int32(%s) = %d, want none", text, n)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		`"move"`: true, `"\u006dove"`: true, `"mov"`: false, `"moves"`: false, `move`: false,
		`null`: false, `""`: false, `"`: false,
		`"m\u006f\u0076\u0065"`: true, `"\u006Dove"`: true, `"mov\u0065s"`: false, `"mov\u"`: false,
		`"mov\u00"`: false, `"mov\`: false,
		`"\move"`: false, `"mov\ud83d\ude00"`: false, `"mov\u0165"`: false, "\"mov\xff\"": false,
	} {
		if got := Value(text).Is("move"); got != want {
			t.Errorf("%s.Is(move) = %v, want %v", text, got, want)
		}
	}
}

// TestIsAllocatesNothing checks that comparing escapes does not allocate: keys of hostile
// clients may hold thousands.
func TestIsAllocatesNothing(t *testing.T) {
	v := Value(`"\"\\\/\u006dove"`)
	if n := testing.AllocsPerRun(100, func() {
		if v.Is("move") || !v.Is(`"\/move`) {
			t.Error("escapes are not resolved")
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestWalkAllocatesNothing(t *testing.T) {
	text := []byte(
		`[{"id":1,"movement":"move","direction":"x+"},{"id":2,"movement":"bomb","bomb_range":3}]`)
	n := testing.AllocsPerRun(100, func() {
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range v.Elements() {
			for k, y := range x.Fields() {
				if k.Is("id") {
					y.Int32()
				}
			}
		}
	})
	if n != 0 {
		t.Errorf("a walk allocates %v times, want 0", n)
	}
}

// TestBrokenValues checks that a walk over a text that Parse refuses ends.
func TestBrokenValues(t *testing.T) {
	for _, text := range []string{
		"[]]", "[}]", "[,]", "[:]", "[ ]", `["]`, `["\]`, "[{]", "[[[]", "[1 2]", "{}}", "{:}", `{"a"}`,
		`{"a":}`, `{"a":1,,}`, "[", "{",
	} {
		n := 0
		for range Value(text).Elements() {
			if n++; n > len(text) {
				t.Fatalf("the walk over %s does not end", text)
			}
		}
		for range Value(text).Fields() {
			if n++; n > 2*len(text) {
				t.Fatalf("the walk over %s does not end", text)
			}
		}
	}
}
