package jsonscan

import (
	"strings"
	"testing"
)

func TestShort(t *testing.T) {
	long := `"` + strings.Repeat("é", 200) + `"`
	for v, want := range map[string]string{
		`5`:                      `5`,
		"{\n \"id\": 1,\r\n\t2}": `{ "id": 1, 2}`,
		"\"\xff\"":               `""`,
		long:                     `"` + strings.Repeat("é", 59) + "…", // the 60th is cut in half
	} {
		if got := Value(v).Short(); got != want {
			t.Errorf("Short(%.20q) = %q, want %q", v, got, want)
		}
	}
}
