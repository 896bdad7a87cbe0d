package main

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// exportHTML writes the page with the match in it.
func exportHTML(x *export, w io.Writer) error {
	r, err := recording.Open(x.path)
	if err != nil {
		return err
	}
	defer r.Close()
	said := tui.NewProgress(x.stderr, x.path, r.Header().Turns)
	defer said.Done()
	name := strings.TrimSuffix(filepath.Base(x.path), recording.Extension)
	err = web.WriteSingle(w, web.Single{
		Name: name, When: r.Header().Started,
		Events: func(w io.Writer) error {
			return feed.WriteRecorded(x.ctx, &eventCounter{w: w, said: said}, feed.Recorded{ID: name}, r, gameList.Replay)
		},
	})
	switch {
	case x.ctx.Err() != nil:
		return errInterrupted
	case errors.Is(err, recording.ErrEmpty):
		return errNoTurns(x.path)
	case err != nil:
		return x.named(err)
	}
	return nil
}

// eventCounter counts the lines that are written through it, one for each turn, for the
// progress.
type eventCounter struct {
	w     io.Writer
	lines int
	said  *tui.Progress
}

func (c *eventCounter) Write(b []byte) (int, error) {
	c.lines += bytes.Count(b, []byte("\n"))
	c.said.Turn(c.lines)
	return c.w.Write(b)
}
