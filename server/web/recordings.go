package web

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
)

// Recordings are the matches that are kept. Its methods are called by many
// goroutines.
type Recordings interface {
	// List is all of them, the newest first.
	List() ([]Recording, error)
	// Open finds one, or fails with fs.ErrNotExist. The text of another error follows
	// the name in a sentence.
	Open(name string) (Replay, error)
	// Version returns what changes when the recording does, or fails with fs.ErrNotExist.
	Version(name string) (Version, error)
}

// Version is one of the contents that a recording has while it is written.
type Version struct {
	Size     int64 // bytes
	Modified time.Time
}

// Replay writes the events of one match, one on a line.
type Replay interface {
	// Started is when the match was played.
	Started() time.Time
	// Write fails with a [*recording.DamageError] if the file is damaged. If that is after
	// the first event, the last one says so. running is whether the match is still being
	// played, for the event in place of an end that is missing.
	Write(ctx context.Context, w io.Writer, running bool) error
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

	State    State `json:"state"`
	Complete bool  `json:"complete"` // the state is Complete
}

// State is how much of its match a recording holds.
type State string

// The states.
const (
	Complete  State = "complete"
	Running   State = State(feed.Running)   // this server is playing the match
	Truncated State = State(feed.Truncated) // the program was stopped, the file was cut, or another process is writing it
	Damaged   State = State(feed.Damaged)   // as far as has been read of it
)

func (s *Server) getRecordings(w http.ResponseWriter, r *http.Request) {
	if s.opts.Recordings == nil {
		fail(w, http.StatusNotFound, "recordings are off")
		return
	}
	leave := s.download(w, r)
	if leave == nil {
		return
	}
	defer leave()
	list, err := s.opts.Recordings.List()
	if err != nil {
		s.opts.Log.Error().Err(err).Msg("Cannot list recordings")
		fail(w, http.StatusInternalServerError, "the recordings cannot be listed")
		return
	}
	running := s.hall.recordings()
	shown := make([]Recording, 0, len(list)) // the list is not ours
	for _, r := range list {
		if now, here := running[r.Name]; here && r.State == Truncated && (now || s.changed(&r)) {
			r.State = Running
		}
		shown = append(shown, r)
	}
	answer(w, http.StatusOK, shown)
}

// changed reports whether a file has changed since it was listed: a match that is over
// by now was still being written then.
func (s *Server) changed(r *Recording) bool {
	v, err := s.opts.Recordings.Version(r.Name)
	return err == nil && v.Size != r.Size
}

// getRecording sends the events of a recording, compressed if the client takes that.
func (s *Server) getRecording(w http.ResponseWriter, r *http.Request) {
	s.sendPrepared(w, r, ndjson, func(p *prepared) error {
		w.Header().Set("Vary", "Accept-Encoding")
		if takesGzip(r) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Length", strconv.FormatInt(p.size, 10))
			_, err := io.Copy(newPaced(w), p.reader())
			return err
		}
		events, err := gzip.NewReader(p.reader())
		if err != nil {
			return err
		}
		_, err = io.Copy(newPaced(w), events)
		return err
	})
}

// takesGzip reports whether a client reads gzip.
func takesGzip(r *http.Request) bool {
	for _, coding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name == "gzip" {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
			return err != nil || q > 0 // an error: no quality
		}
	}
	return false
}

// getSingle sends a recording as a file of its own.
func (s *Server) getSingle(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(r.PathValue("name"), recording.Extension)
	s.sendPrepared(w, r, kinds[".html"], func(p *prepared) error {
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".html"}))
		out := bufio.NewWriterSize(newPaced(w), piece)
		err := writeSingle(out, name, p.started, func(w io.Writer) error {
			_, err := io.Copy(w, p.reader())
			return err
		})
		return errors.Join(err, out.Flush())
	})
}

// sendPrepared has a recording sent that is ready to be, as content of a type. A HEAD
// request is told the type and has nothing prepared.
func (s *Server) sendPrepared(w http.ResponseWriter, r *http.Request, contentType string, send func(*prepared) error) {
	if r.Method == http.MethodHead {
		if s.findRecording(w, r) {
			w.Header().Set("Content-Type", contentType)
		}
		return
	}
	name := s.recordingName(w, r)
	if name == "" {
		return
	}
	leave := s.download(w, r)
	if leave == nil {
		return
	}
	defer leave()
	p, err := s.prepared.get(r.Context(), name, s.hall.recordings()[name])
	if err != nil {
		failRecording(w, name, err)
		return
	}
	defer s.prepared.release(p)
	w.Header().Set("Content-Type", contentType)
	if err := send(p); err != nil {
		panic(http.ErrAbortHandler) // so that the reader sees that it is cut
	}
}

// findRecording reports whether the recording that is asked for can be opened. If not,
// the request is answered.
func (s *Server) findRecording(w http.ResponseWriter, r *http.Request) bool {
	name := s.recordingName(w, r)
	if name == "" {
		return false
	}
	replay, err := s.opts.Recordings.Open(name)
	if err != nil {
		failRecording(w, name, err)
		return false
	}
	_ = replay.Close()
	return true
}

// recordingName returns the name of the recording that is asked for. It is empty if
// there cannot be one; then the request is answered.
func (s *Server) recordingName(w http.ResponseWriter, r *http.Request) string {
	if s.opts.Recordings == nil {
		fail(w, http.StatusNotFound, "recordings are off")
		return ""
	}
	name := r.PathValue("name")
	if strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") {
		failRecording(w, name, fs.ErrNotExist)
		return ""
	}
	return name
}

// failRecording answers why a recording cannot be sent.
func failRecording(w http.ResponseWriter, name string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fail(w, http.StatusNotFound, "there is no recording %s", name)
	case errors.Is(err, errBusy), errors.Is(err, context.Canceled):
		failBusy(w)
	default:
		fail(w, http.StatusUnprocessableEntity, "%s %v", name, err)
	}
}
