package netorcai

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
)

func TestAppendFloat(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1.5, 50.5, 1e-6, 9.99e-7, 1e-9, -1.25e-10, 1e-300,
		123456789012345680000, 1e20, 999999999999999900000, 1e21, -1e21, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1,
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
	` [ {"a b" : [ true , false ,null ] } ] `: `[{"a b":[true,false,null]}]`,
	`["1.0 e\"\\", "2.0"]`:                    `["1.0 e\"\\","2.0"]`,
	`["\ud83d\ude00\u0041\/","\ud83d"]`:       `["😀A/","�"]`,
	"[\"\xffa\xc3\xa9\"]":                     `["�aé"]`,
	`[{"a":1.0,"a":2.0}]`:                     `[{"a":1,"a":2}]`,
}

func TestPlainActions(t *testing.T) {
	for actions, want := range plainSamples {
		if got := appendPlain(nil, []byte(actions)); string(got) != want {
			t.Errorf("appendPlain(%s) = %s, want %s", actions, got, want)
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
		got := appendPlain(nil, actions)
		var in, out any
		if json.Unmarshal(actions, &in) != nil {
			return
		}
		want, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(got, &out); err != nil {
			t.Fatalf("appendPlain(%q) = %q: %v", actions, got, err)
		}
		if again, _ := json.Marshal(out); !bytes.Equal(again, want) {
			t.Fatalf("appendPlain(%q) = %q, want %q", actions, got, want)
		}
	})
}
