package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/doctest"
)

// docs/operator.md has the table of settings.
func TestDocumentedSettings(t *testing.T) {
	doctest.Section(t, "../../docs/operator.md", "settings", settingsTable())
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
