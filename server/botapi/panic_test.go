package botapi

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// brittle is a line that panics when it reads, or writes, for the third time.
type brittle struct {
	line
	reads, writes int
}

func (b *brittle) read(ctx context.Context) ([]byte, error) {
	if b.reads--; b.reads == 0 {
		panic("the reader broke")
	}
	return b.line.read(ctx)
}

func (b *brittle) write(ctx context.Context, data []byte) error {
	if b.writes--; b.writes == 0 {
		panic("the writer broke")
	}
	return b.line.write(ctx, data)
}

// A panic in serving a bot is logged once and costs that bot its seat. The other
// one wins.
func TestPanicOverABot(t *testing.T) {
	for _, b := range []*brittle{{reads: 3}, {writes: 3}} {
		well := &script{caps: baseCaps}
		d := NewDialer(false, zerolog.Nop())
		x, err := d.Dial(t.Context(), well.start(t))
		if err != nil {
			t.Fatal(err)
		}
		poor := &script{caps: baseCaps}
		url := strings.Replace(poor.start(t), "http", "ws", 1) + "/game"
		if b.line, err = dialSocket(t.Context(), url, http.DefaultClient); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer // the seat of the bot alone writes it
		o := &Peer{Name: "poor", Address: url, free: true, way: newSocket(b)}
		e := contest{log: zerolog.New(&log)}.play(t, x, o)
		if e.Err != nil || e.Winner != 0 || !strings.Contains(e.Seats[1].Reason, "broke") {
			t.Errorf("the match ended with %+v", e)
		}
		if n := strings.Count(log.String(), `"panic":"the `); n != 1 || !strings.Contains(log.String(), "(*brittle)") {
			t.Errorf("the log has %d panics:\n%s", n, log.String())
		}
		well.left(t)
		poor.left(t)
		d.Close()
	}
}
