package web

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

// Recordings are the matches that are kept. Its methods are called by many
// goroutines.
type Recordings interface {
	// List is all of them, the newest first.
	List() ([]Recording, error)
	// Open finds one, or fails with fs.ErrNotExist.
	Open(name string) (Replay, error)
}

// Replay writes the events of one match, one on a line.
type Replay interface {
	Write(ctx context.Context, w io.Writer) error
	Close() error
}

// Recording is what is told of a match that is kept.
type Recording struct {
	Name   string    `json:"name"` // to ask for it by
	When   time.Time `json:"when"`
	Rules  string    `json:"rules"`
	Map    string    `json:"map"`
	Seats  []string  `json:"seats"`  // names, by player id
	Turns  int       `json:"turns"`  // that were played
	Winner int       `json:"winner"` // player id; -1: nobody
	Size   int64     `json:"size"`   // bytes

	Complete bool `json:"complete"` // it is no match under way, and the file was not cut
}

// storyTime is how long all events of a match may take to be sent.
const storyTime = 5 * time.Minute

// takeTime lets an answer take longer than others.
func takeTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(storyTime))
}

func (s *Server) getRecordings(w http.ResponseWriter, _ *http.Request) {
	if s.opts.Recordings == nil {
		fail(w, http.StatusNotFound, "recordings are off")
		return
	}
	list, err := s.opts.Recordings.List()
	if err != nil {
		s.opts.Log.Error().Err(err).Msg("Cannot list recordings")
		fail(w, http.StatusInternalServerError, "the recordings cannot be listed")
		return
	}
	if list == nil {
		list = []Recording{}
	}
	answer(w, http.StatusOK, list)
}

func (s *Server) getRecording(w http.ResponseWriter, r *http.Request) {
	if s.opts.Recordings == nil {
		fail(w, http.StatusNotFound, "recordings are off")
		return
	}
	name := r.PathValue("name")
	if strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") {
		fail(w, http.StatusNotFound, "there is no recording %q", name)
		return
	}
	replay, err := s.opts.Recordings.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fail(w, http.StatusNotFound, "there is no recording %q", name)
		return
	case err != nil:
		fail(w, http.StatusUnprocessableEntity, "recording %q: %v", name, err)
		return
	}
	defer replay.Close()
	takeTime(w)
	w.Header().Set("Content-Type", ndjson)
	if r.Method == http.MethodHead {
		return
	}
	if err := replay.Write(r.Context(), w); err != nil {
		panic(http.ErrAbortHandler) // so that the reader sees that it is cut
	}
}
