package tui_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// A cup that is being played, on terminals of several sizes: golden files. All fits.
func TestRunning(t *testing.T) {
	for _, tt := range []struct {
		name          string
		format        plan.Format
		bots, seats   int
		total         int
		columns, rows int
	}{
		{"roundrobin", plan.RoundRobin, 4, 3, 600, 80, 20},
		{"narrow", plan.RoundRobin, 4, 3, 600, 30, 20},
		{"low", plan.RoundRobin, 6, 3, 600, 50, 5},
		{"lowest", plan.Comparison, 2, 2, 0, 80, 1},
		{"sprt", plan.Comparison, 2, 2, 0, 80, 20},
		{"sprt_low", plan.Comparison, 2, 2, 0, 80, 4},
		{"sprt_begins", plan.Comparison, 2, 4, 0, 120, 20},
		{"gauntlet", plan.Gauntlet, 4, 2, 0, 80, 20},
	} {
		p := cuptest.Plan(tt.format, tt.bots, tt.seats)
		s := standings.New(p)
		rows := 120
		if tt.name == "sprt_begins" {
			rows = 20
		}
		for _, row := range cuptest.Rows(p, rows) {
			if err := s.Add(row); err != nil {
				t.Fatal(err)
			}
		}
		r := &tui.Running{Table: s.Table(100), Total: tt.total, Rate: 4}
		var plain bytes.Buffer
		lines := r.Lines(tt.columns, tt.rows)
		for _, line := range lines {
			if lipgloss.Width(line) > tt.columns {
				t.Errorf("%s: %q has %d columns, of %d", tt.name, line, lipgloss.Width(line), tt.columns)
			}
			fmt.Fprintln(&colorprofile.Writer{Forward: &plain, Profile: colorprofile.NoTTY}, line)
		}
		if len(lines) > tt.rows {
			t.Errorf("%s: %d lines in %d rows", tt.name, len(lines), tt.rows)
		}
		fmt.Fprintln(&plain, r.Line())
		cuptest.Golden(t, "running_"+tt.name+".txt", plain.Bytes())
		if strings.Contains(plain.String(), "\x1b") {
			t.Errorf("%s controls the terminal: %q", tt.name, &plain)
		}
	}
}
