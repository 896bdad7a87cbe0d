package export

import (
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
			about := feed.Recorded{
				ID: name, Progress: func(step int) { x.Progress(step, r.Header().Turns) },
				Again: func() (*recording.Reader, error) { return recording.Open(x.Path) },
			}
			return feed.WriteRecorded(x.ctx, w, about, r, x.Games.Replay)
		},
	})
	switch {
	case x.ctx.Err() != nil:
		return x.ctx.Err()
	case err != nil:
		return x.named(err)
	}
	return nil
}
