package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/config"
)

// docs/operator.md has the table of settings. With UPDATE_DOCS=1 in the environment, the
// test writes it.
func TestDocumentedSettings(t *testing.T) {
	const path, begin, end = "../../docs/operator.md", "<!-- settings -->\n", "<!-- end of settings -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no place for the settings", path)
	}
	want := before + begin + settingsTable() + end + after
	switch {
	case want == string(text):
	case os.Getenv("UPDATE_DOCS") != "":
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the settings in %s are not those of the table; UPDATE_DOCS=1 go test ./cmd/hexarena -run %s writes them", path, t.Name())
	}
}

// settingsTable returns the settings of serve and play as a table in Markdown.
func settingsTable() string {
	serve, play := serveScope.Settings(), playScope.Settings()
	byName := func(name string) func(config.Setting) bool {
		return func(s config.Setting) bool { return s.Name == name }
	}
	rows := slices.Clone(serve)
	for _, s := range play {
		if !slices.ContainsFunc(serve, byName(s.Name)) {
			rows = append(rows, s)
		}
	}
	var b strings.Builder
	b.WriteString("| setting | default | |\n| --- | --- | --- |\n")
	for group := range config.OtherGroup {
		fmt.Fprintf(&b, "| **%s** | | |\n", group)
		for _, s := range rows {
			if s.Group != group {
				continue
			}
			of, usual := "", cmp.Or(s.Default, "none")
			if s.Commands&config.Serve == 0 {
				of = "play"
			}
			if i := slices.IndexFunc(play, byName(s.Name)); i >= 0 && play[i].Default != s.Default {
				usual += "; play: " + play[i].Default
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, usual, strings.ReplaceAll(s.Description(of), "|", "\\|"))
		}
	}
	return b.String()
}
