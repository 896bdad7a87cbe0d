package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The help of play and cup fits a screen of 40 lines and 80 columns, and its flags exist.
func TestHelpFitsAScreen(t *testing.T) {
	t.Parallel()
	flags := regexp.MustCompile(`--([a-z-]+)`)
	for _, name := range []string{"play", "cup"} {
		_, screen, _ := hexarena("help", name)
		if _, same, _ := hexarena(name, "--help"); same != screen {
			t.Errorf("%s --help differs from help %s", name, name)
		}
		lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
		if len(lines) > 40 {
			t.Errorf("help %s has %d lines, want at most 40", name, len(lines))
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > 80 {
				t.Errorf("help %s: %q has more than 80 columns", name, l)
			}
		}
		cmd, _, err := newRoot().Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range flags.FindAllStringSubmatch(screen, -1) {
			if f := cmd.Flags().Lookup(m[1]); f == nil || f.Hidden {
				t.Errorf("help %s names %s, which is no flag of it", name, m[0])
			}
		}
	}
}
