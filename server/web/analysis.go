package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Analyse runs a judge over the recording with the given name and writes its judgements,
// one JSON object per line. The text of an error is for the user.
type Analyse func(ctx context.Context, name string, o AnalysisOptions, w io.Writer) error

// AnalysisOptions select the judge and what it does.
type AnalysisOptions struct {
	Judge   string `json:"judge"`   // one of Options.Judges or an address; empty: the first of them
	Threats bool   `json:"threats"` // also report what a side would play if it could move twice
	Move    int    `json:"move"`    // the only one to judge, from 1; 0: all
	// a game in the notation that is judged in place of the recording; "": the recording is
	Game string `json:"game"`
	// the number of moves that the judge shows ahead of each judged move
	Line int `json:"line"`
}

// LongestLine is the largest number of moves that a judge shows ahead: each takes about as long as
// a judgement.
const LongestLine = 20

const (
	// maxAnalysisBody is the largest body of a request for an analysis, in bytes.
	maxAnalysisBody = 16 << 10
	// judgingTimeout is the time that a request waits for a running analysis, which may have been
	// cancelled a moment ago.
	judgingTimeout = 3 * time.Second
)

// postAnalysis streams the judgements of a recording's moves as they are made. Since this
// takes processor time, only the operator may request it, and only one analysis runs at a
// time.
func (a *recordingAPI) postAnalysis(w http.ResponseWriter, r *http.Request) {
	if a.opts.Analyse == nil {
		fail(w, http.StatusNotFound, "no games are judged here; hexarena replay analyse does it")
		return
	}
	if !a.operates(w, r) {
		return
	}
	var o AnalysisOptions
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxAnalysisBody))
	body.DisallowUnknownFields()
	if err := body.Decode(&o); err != nil && !errors.Is(err, io.EOF) {
		fail(w, http.StatusBadRequest,
			`the body is not JSON such as {"judge": "threat", "threats": true}: %v`, err)
		return
	}
	if o.Line < 0 || o.Line > LongestLine || o.Move < 0 {
		fail(w, http.StatusBadRequest,
			`line is %d and move %d: want a line from 0 to %d and a move from 1, or 0 for all`, o.Line,
			o.Move, LongestLine)
		return
	}
	waiting, cancel := context.WithTimeout(r.Context(), judgingTimeout)
	defer cancel()
	if !a.judging.acquire(waiting) {
		fail(w, http.StatusServiceUnavailable, "another game is being judged; try again later")
		return
	}
	defer a.judging.release()
	if !a.findRecording(w, r) {
		return
	}
	w.Header().Set("Content-Type", ndjson)
	extendDeadline(w)
	lines := &flushWriter{w: w}
	err := a.opts.Analyse(r.Context(), r.PathValue("name"), o, lines)
	switch {
	case err == nil || r.Context().Err() != nil:
	case !lines.begun:
		fail(w, http.StatusUnprocessableEntity, "%v", err)
		return
	default:
		err = json.NewEncoder(lines).Encode(map[string]string{"error": err.Error()})
	}
	if err != nil {
		panic(http.ErrAbortHandler) // so that the client notices that the response is incomplete
	}
}

// moveTime limits the time to judge one move and to send the judgement.
const moveTime = 5 * time.Minute

// extendDeadline gives the next part of a response moveTime.
func extendDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(moveTime))
}

// judges returns the built-in bots that judge recordings, or nil if the client cannot
// request an analysis.
func (a *recordingAPI) judges(r *http.Request) []string {
	if a.opts.Analyse == nil || !a.mayTry(r) {
		return nil
	}
	return a.opts.Judges
}

// flushWriter sends each piece at once and extends the deadline for the next one.
type flushWriter struct {
	w     http.ResponseWriter
	begun bool
}

func (f *flushWriter) Write(line []byte) (n int, err error) {
	f.begun = true
	if n, err = f.w.Write(line); err == nil {
		err = http.NewResponseController(f.w).Flush()
	}
	extendDeadline(f.w)
	return n, err
}
