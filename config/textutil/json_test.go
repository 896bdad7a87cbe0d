package textutil

import (
	"encoding/json"
	"strings"
	"testing"
)

// A terminal interprets nothing of what is written, and programs read the same value.
func TestWriteJSON(t *testing.T) {
	want := map[string]string{"a": "\x1b[2J\u009b31m\u202eü€<\U0001f600", "b\u2066": "\x7f"}
	var b strings.Builder
	if err := WriteJSON(&b, want); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(strings.ReplaceAll(b.String(), "\n", ""), Interpreted) ||
		!strings.Contains(b.String(), "ü€<") {
		t.Errorf("it writes %q", b.String())
	}
	got := map[string]string{}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got["a"] != want["a"] ||
		got["b\u2066"] != want["b\u2066"] {
		t.Errorf("%q, %v", got, err)
	}
}
