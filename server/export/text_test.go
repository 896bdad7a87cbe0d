package export

import (
	"testing"

	"github.com/hexarena/hexarena/config/textutil"
)

// Exports are printed to terminals and opened in spreadsheets.
func TestTextIsNotInterpreted(t *testing.T) {
	for name, want := range map[string]string{
		`=1+2,"@x`: `'=1+2,"@x`, "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\uFFFDx", "a=b": "a=b",
		"":                         "",
		"a\x1b[2J\x7f\u009b\u202e": "a\uFFFD[2J\uFFFD\uFFFD\uFFFD", "爱": "爱",
	} {
		if got := textutil.Cell(name); got != want {
			t.Errorf("Cell(%q) = %q, want %q", name, got, want)
		}
	}
	if got, want := string(textutil.EscapeJSON([]byte("{\"é\":\"\x7f\u009b\u202e\u2066\"}"))), `{"é":"\u007f\u009b\u202e\u2066"}`; got != want {
		t.Errorf("EscapeJSON = %q, want %q", got, want)
	}
}
