package textutil

import (
	"encoding/csv"
	"io"
	"strconv"
)

// CSV writes a table for spreadsheets and programs as RFC 4180 has it. It is the only such writer,
// since every text may come from outside.
type CSV struct{ out *csv.Writer }

// NewCSV returns a writer. The caller must call Flush after the last line.
func NewCSV(w io.Writer) *CSV {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return &CSV{out}
}

// UseLF ends lines with LF alone, for tables that programs which read lines have always got so.
func (c *CSV) UseLF() { c.out.UseCRLF = false }

// Write writes a line, whose fields are numbers and texts that are written as [Cell] has them.
func (c *CSV) Write(fields ...string) {
	line := make([]string, len(fields))
	for i, field := range fields {
		line[i] = field
		if _, err := strconv.ParseFloat(field, 64); err != nil {
			line[i] = Cell(field)
		}
	}
	_ = c.out.Write(line) // Flush has the error
}

// Flush writes what is buffered, and returns the first error.
func (c *CSV) Flush() error {
	c.out.Flush()
	return c.out.Error()
}
