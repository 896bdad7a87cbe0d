package panics

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

func fall() { panic("oh") }

func TestCatch(t *testing.T) {
	if p := Catch(func() {}); p != nil {
		t.Errorf("Catch without a panic = %v", p)
	}
	p := Catch(fall)
	if p == nil || p.Error() != "panic: oh" {
		t.Fatalf("Catch = %v, want panic: oh", p)
	}
	var log bytes.Buffer
	logger := zerolog.New(&log)
	logger.Error().EmbedObject(p).Msg("It failed")
	for _, want := range []string{`"panic":"oh"`, "panics.fall", "It failed"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log.String())
		}
	}
}
