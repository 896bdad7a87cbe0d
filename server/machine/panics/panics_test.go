package panics

import (
	"bytes"
	"strings"
	"sync"
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

func TestGo(t *testing.T) {
	var log bytes.Buffer
	var group sync.WaitGroup
	Go(&group, fall, Logged(zerolog.New(&log), "It failed"))
	group.Wait()
	if !strings.Contains(log.String(), `"panic":"oh"`) ||
		!strings.Contains(log.String(), "It failed") {
		t.Errorf("the log is %s", log.String())
	}
	Go(&group, func() {}, func(p *Error) { t.Errorf("Go without a panic: %v", p) })
	group.Wait()
}

func TestAfterFunc(t *testing.T) {
	caught := make(chan *Error, 1)
	AfterFunc(0, fall, func(p *Error) { caught <- p })
	if p := <-caught; p.Value != "oh" {
		t.Errorf("AfterFunc = %v, want oh", p)
	}
}
