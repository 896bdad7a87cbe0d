package netorcai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestAppendFloat(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1.5, 50.5, 1e-6, 9.99e-7, 1e-9, -1.25e-10, 1e-300,
		123456789012345680000, 1e20, 999999999999999900000, 1e21, -1e21, 1e100, math.MaxFloat64,
		math.SmallestNonzeroFloat64, 0.1,
	} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendFloat(nil, f); string(got) != string(want) {
			t.Errorf("appendFloat(%v) = %s, want %s", f, got, want)
		}
	}
}

var plainSamples = map[string]string{
	`[]`:                           `[]`,
	`[2.0, 2e0, 20E-1, 0.2e+1]`:    `[2,2,2,2]`,
	`[12345678901234567890]`:       `[12345678901234567000]`,
	`[123456789012345]`:            `[123456789012345]`,
	`[9007199254740993]`:           `[9007199254740992]`,
	`[-0, -0.0, 0.10, 1e-7, 1e21]`: `[-0,-0,0.1,1e-7,1e+21]`,
	`[1e-400]`:                     `[0]`,
	` [ {"a b" : [ true , false ,null ] } ] `:            `[{"a b":[true,false,null]}]`,
	`["1.0 e\"\\", "2.0"]`:                               `["1.0 e\"\\","2.0"]`,
	`["\ud83d\ude00\u0041\/","\ud83d"]`:                  `["😀A/","�"]`,
	`["\ud83d\u00e9\ude00\uD83D\uDE00\b\f\n\r\t\u001F"]`: `["�é�😀\u0008\u000c\u000a\u000d\u0009\u001f"]`,
	"[\"\xffa\xc3\xa9\"]":                                `["�aé"]`,
	`[{"a":1.0,"a":2.0}]`:                                `[{"a":2}]`,
	`{"a":1,"b":{"c":1,"c":2},"\u0061":3,"d":[{"e":0.0},{"e":{"f":1,"f":2}}],"a":{}}`: `{"b":{"c":2},"d":[{"e":0},{"e":{"f":2}}],"a":{}}`,
	`{"a":1,"b":2,"a":3,"b":4}`: `{"a":3,"b":4}`,
	manyKeys("x0"):              manyKeys(""),
}

// manyKeys returns an object with so many keys that they are sorted to find one that is repeated:
// first stands before all others, unless it is empty, and is the last of them as well.
func manyKeys(first string) string {
	var b strings.Builder
	b.WriteString("{")
	if first != "" {
		fmt.Fprintf(&b, "%q:[], ", first)
	}
	for i := range 2 * fewKeys {
		fmt.Fprintf(&b, `"x%d":%d,`, 2*fewKeys-1-i, i)
	}
	return strings.TrimSuffix(b.String(), ",") + "}"
}

// AppendPlain pauses after each step of a long text.
func TestAppendPlainPauses(t *testing.T) {
	pauses := 0
	text := "[" + strings.Repeat("1.0,", plainStep) + "1.0]"
	got := AppendPlain(nil, []byte(text), func() { pauses++ })
	if want := len(text) / plainStep; pauses != want || len(got) != 2*plainStep+3 {
		t.Errorf("AppendPlain pauses %d times and writes %d bytes, want %d times", pauses, len(got), want)
	}
}

func TestPlainActions(t *testing.T) {
	for actions, want := range plainSamples {
		if got := AppendPlain(nil, []byte(actions), nil); string(got) != want {
			t.Errorf("AppendPlain(%s) = %s, want %s", actions, got, want)
		}
	}
}

// FuzzPlainActions compares the actions of a DO_TURN with the result of decoding and
// encoding them with encoding/json.
func FuzzPlainActions(f *testing.F) {
	for actions := range plainSamples {
		f.Add([]byte(actions))
	}
	for _, g := range goldens(f, "TURN_ACK") {
		f.Add([]byte(g.content))
	}
	f.Fuzz(func(t *testing.T, actions []byte) {
		got := AppendPlain(nil, actions, nil)
		var in, out any
		if json.Unmarshal(actions, &in) != nil {
			return
		}
		want, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(got, &out); err != nil {
			t.Fatalf("AppendPlain(%q) = %q: %v", actions, got, err)
		}
		if again, _ := json.Marshal(out); !bytes.Equal(again, want) {
			t.Fatalf("AppendPlain(%q) = %q, want %q", actions, got, want)
		}
	})
}
