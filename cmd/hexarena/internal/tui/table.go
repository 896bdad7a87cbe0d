package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/maps"
)

// Table is text in columns. The cells may have colors.
type Table struct {
	Columns []Column
	rows    [][]string
}

// Column is a column of a table.
type Column struct {
	head    string
	right   bool // aligned to the right
	remarks bool // without a head if all its cells are empty
}

// Left returns a column that is aligned to the left, as text is.
func Left(head string) Column { return Column{head: head} }

// Right returns a column that is aligned to the right, as numbers are.
func Right(head string) Column { return Column{head: head, right: true} }

// Remarks returns the last column of a table whose rows may have remarks. It has no head if none
// has.
func Remarks() Column { return Column{head: "remarks", remarks: true} }

// Add adds a row, with a cell for each column. Figures in columns that are aligned to the right get
// true minus signs.
func (t *Table) Add(row ...string) {
	for i, cell := range row {
		if _, err := strconv.ParseFloat(cell, 64); err == nil && t.Columns[i].right {
			row[i] = textutil.Minus(cell)
		}
	}
	t.rows = append(t.rows, row)
}

// Write appends the table to b.
func (t *Table) Write(b *strings.Builder) {
	var heads []string
	for i, c := range t.Columns {
		if c.remarks && !slices.ContainsFunc(t.rows, func(row []string) bool { return row[i] != "" }) {
			c.head = ""
		}
		heads = append(heads, c.head)
	}
	rows := append([][]string{heads}, t.rows...)
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-lipgloss.Width(cell))
			if t.Columns[i].right {
				line += "  " + gap + cell
			} else {
				line += "  " + cell + gap
			}
		}
		b.WriteString(strings.TrimRight(line[2:], " ") + "\n")
	}
}

// Colored returns text in the color of the i-th ordinary player, from 0.
func Colored(text string, i int) string {
	color := maps.PlayerLook(i).Dark.Line
	return lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color(color.String())).Render(text)
}
