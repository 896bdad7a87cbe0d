package main

import (
	"bytes"
	"testing"
)

// brittleOutput panics at its first line.
type brittleOutput struct {
	bytes.Buffer
	broke bool
}

func (b *brittleOutput) Write(p []byte) (int, error) {
	if !b.broke {
		b.broke = true
		panic("the output broke")
	}
	return b.Buffer.Write(p)
}

// A panic in writing the log costs a line, and the rest is written.
func TestPanicInTheLog(t *testing.T) {
	var out brittleOutput // the console's goroutine alone writes it, until done
	c := newConsole(&out)
	_, _ = c.Write([]byte("one\n"))
	_, _ = c.Write([]byte("two\n"))
	c.Close()
	<-c.done
	if got := out.String(); got != "two\n" {
		t.Errorf("what is written is %q, want all but the first line", got)
	}
}
