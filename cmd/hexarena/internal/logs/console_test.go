package logs

import (
	"bytes"
	"testing"
)

// failingOutput panics at its first line.
type failingOutput struct {
	bytes.Buffer
	broke bool
}

func (b *failingOutput) Write(p []byte) (int, error) {
	if !b.broke {
		b.broke = true
		panic("the output broke")
	}
	return b.Buffer.Write(p)
}

// A panic while writing the log loses one line; the rest is written.
func TestPanicInTheLog(t *testing.T) {
	var out failingOutput // written only by the console's goroutine until done
	c := NewConsole(&out)
	_, _ = c.Write([]byte("one\n"))
	_, _ = c.Write([]byte("two\n"))
	c.Close()
	<-c.done
	if got := out.String(); got != "two\n" {
		t.Errorf("what is written is %q, want all but the first line", got)
	}
}
