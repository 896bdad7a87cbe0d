package web

import (
	"context"
	"io"
	"net/http"
)

// Analyse lets a bot judge the recording of that name, and writes what it thinks,
// one piece of JSON on a line. An error before the first one is the user's to read.
type Analyse func(ctx context.Context, name string, w io.Writer) error

// postAnalysis sends what a judge thinks of a recording, each move when it is
// judged. It takes the processor's time, so that it is the operator's, and one
// goes on at a time.
func (s *Server) postAnalysis(w http.ResponseWriter, r *http.Request) {
	if s.opts.Analyse == nil {
		fail(w, http.StatusNotFound, "no games are judged here; hexarena analyse does it")
		return
	}
	if !s.operates(w, r) {
		return
	}
	select {
	case s.judging <- struct{}{}:
		defer func() { <-s.judging }()
	default:
		fail(w, http.StatusServiceUnavailable, "another game is being judged; try again later")
		return
	}
	s.sendRecording(w, r, ndjson, func(Replay) error {
		lines := &flushed{w: w}
		err := s.opts.Analyse(r.Context(), r.PathValue("name"), lines)
		if err != nil && !lines.begun {
			fail(w, http.StatusUnprocessableEntity, "%v", err)
			return nil
		}
		return err
	})
}

// flushed sends each piece that is written at once.
type flushed struct {
	w     http.ResponseWriter
	begun bool
}

func (f *flushed) Write(line []byte) (n int, err error) {
	f.begun = true
	if n, err = f.w.Write(line); err == nil {
		err = http.NewResponseController(f.w).Flush()
	}
	return n, err
}
