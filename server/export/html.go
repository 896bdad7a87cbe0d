package export

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// writeHTML writes the page with the match in it.
func writeHTML(x *exporter, w io.Writer) error {
	r, err := recording.Open(x.Path)
	if err != nil {
		return err
	}
	defer r.Close()
	name := strings.TrimSuffix(filepath.Base(x.Path), recording.Extension)
	err = web.WriteSingle(w, web.Single{
		Name: name, When: r.Header().Started,
		Events: func(w io.Writer) error {
			return feed.WriteRecorded(x.ctx, &eventCounter{Writer: w, turns: r.Header().Turns, progress: x.Progress}, feed.Recorded{ID: name}, r, x.Games.Replay)
		},
	})
	switch {
	case x.ctx.Err() != nil:
		return x.ctx.Err()
	case errors.Is(err, recording.ErrEmpty):
		return x.errNoTurns()
	case err != nil:
		return x.named(err)
	}
	return nil
}

// eventCounter reports the lines that are written through it, one for each turn, as progress.
type eventCounter struct {
	io.Writer
	lines, turns int
	progress     func(step, turns int)
}

func (c *eventCounter) Write(b []byte) (int, error) {
	c.lines += bytes.Count(b, []byte("\n"))
	c.progress(c.lines, c.turns)
	return c.Writer.Write(b)
}
