package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Analyse lets a bot judge the recording of that name, and writes what it thinks,
// one piece of JSON on a line. An error is the user's to read.
type Analyse func(ctx context.Context, name string, o AnalysisOptions, w io.Writer) error

// AnalysisOptions say who judges a recording, and how.
type AnalysisOptions struct {
	Judge   string `json:"judge"`   // one of Options.Judges or an address; empty: the first of them
	Threats bool   `json:"threats"` // say what a side would play if it could move again
}

const (
	// maxAsked bounds what a request for an analysis may say.
	maxAsked = 16 << 10
	// turnTime is how long an analysis waits for the one before it, which may have
	// been given up a moment ago.
	turnTime = 3 * time.Second
)

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
	var o AnalysisOptions
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxAsked))
	body.DisallowUnknownFields()
	if err := body.Decode(&o); err != nil && !errors.Is(err, io.EOF) {
		fail(w, http.StatusBadRequest, `the body is no JSON such as {"judge": "threat", "threats": true}: %v`, err)
		return
	}
	if !s.takeJudging(r.Context()) {
		fail(w, http.StatusServiceUnavailable, "another game is being judged; try again later")
		return
	}
	defer func() { <-s.judging }()
	if !s.findRecording(w, r) {
		return
	}
	w.Header().Set("Content-Type", ndjson)
	takeTime(w)
	lines := &flushed{w: w}
	err := s.opts.Analyse(r.Context(), r.PathValue("name"), o, lines)
	switch {
	case err == nil || r.Context().Err() != nil:
	case !lines.begun:
		fail(w, http.StatusUnprocessableEntity, "%v", err)
		return
	default:
		err = json.NewEncoder(lines).Encode(map[string]string{"error": err.Error()})
	}
	if err != nil {
		panic(http.ErrAbortHandler) // so that the reader sees that it is cut
	}
}

// moveTime is how long it may take to judge a move and to send it.
const moveTime = 5 * time.Minute

// takeTime lets the next part of an answer take longer than others.
func takeTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(moveTime))
}

// takeJudging waits a little for whoever has a game judged.
func (s *Server) takeJudging(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	select {
	case s.judging <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// judges are the built-in bots that judge recordings; nil if it makes no sense to
// ask for that.
func (s *Server) judges(r *http.Request) []string {
	if s.opts.Analyse == nil || !s.mayTry(r) {
		return nil
	}
	return s.opts.Judges
}

// flushed sends each piece that is written at once, and gives the next one as much
// time.
type flushed struct {
	w     http.ResponseWriter
	begun bool
}

func (f *flushed) Write(line []byte) (n int, err error) {
	f.begun = true
	if n, err = f.w.Write(line); err == nil {
		err = http.NewResponseController(f.w).Flush()
	}
	takeTime(f.w)
	return n, err
}
