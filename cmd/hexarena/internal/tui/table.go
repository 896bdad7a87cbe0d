package tui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/hexarena/hexarena/maps"
)

// Table is text in columns.
type Table struct {
	Columns []Column
	rows    [][]string
	labels  []string // the second cell of each row, with its color
}

// Column is a column of a table.
type Column struct {
	head  string
	right bool // aligned to the right
}

// Left returns a column that is aligned to the left, as text is.
func Left(head string) Column { return Column{head, false} }

// Right returns a column that is aligned to the right, as numbers are.
func Right(head string) Column { return Column{head, true} }

// Add adds a row. label is its second cell, which may be colored.
func (t *Table) Add(label string, row []string) {
	t.rows = append(t.rows, row)
	t.labels = append(t.labels, label)
}

// Write appends the table to b.
func (t *Table) Write(b *strings.Builder) {
	widths := make([]int, len(t.Columns))
	heads := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = c.head
	}
	for _, row := range append([][]string{heads}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	t.writeRow(b, widths, heads, heads[1])
	for i, row := range t.rows {
		t.writeRow(b, widths, row, t.labels[i])
	}
}

func (t *Table) writeRow(b *strings.Builder, widths []int, row []string, label string) {
	var line strings.Builder
	for i, cell := range row {
		gap := strings.Repeat(" ", widths[i]-lipgloss.Width(cell))
		if i > 0 {
			line.WriteString("  ")
		}
		if i == 1 {
			cell = label
		}
		if t.Columns[i].right {
			line.WriteString(gap + cell)
		} else {
			line.WriteString(cell + gap)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

// Colored returns text in the color of the i-th ordinary player, from 0.
func Colored(text string, i int) string {
	color := maps.PlayerLook(i).Dark.Line
	return lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color(color.String())).Render(text)
}
