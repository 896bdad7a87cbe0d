package botapi

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Names and reasons from bots reach terminals, files and close frames.
func TestNamesAndReasonsFit(t *testing.T) {
	for name, want := range map[string]string{
		"Ann":                    "Ann",
		"e\x1b[31mvil\n1. [1,0]": "e [31mvil 1. [1,0]",
		"\r\n\t":                 "",
		"\u202egnp.exe":          "gnp.exe",
		strings.Repeat("ä", 41):  strings.Repeat("ä", 39) + "…",
		"\xff":                   "\uFFFD",
	} {
		if got := displayName(name); got != want {
			t.Errorf("clipped(%q) = %q, want %q", name, got, want)
		}
	}
	for _, reason := range []string{"hung up", "\xff\xfe", strings.Repeat("ä", 100)} {
		if got := closeReason(reason); !utf8.ValidString(got) || len(got) > 123 {
			t.Errorf("clipClose(%q) = %q", reason, got)
		}
	}
}
