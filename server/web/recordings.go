package web

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
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
	// Started is when the match was played.
	Started() time.Time
	// Write fails if there is no event. What is missing after the first one, an event
	// says: running is whether the match is still being played.
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
	running := s.hall.recording()
	shown := make([]Recording, 0, len(list)) // the list is not ours
	for _, r := range list {
		if r.State == Truncated && running[r.Name] {
			r.State = Running
		}
		shown = append(shown, r)
	}
	answer(w, http.StatusOK, shown)
}

func (s *Server) getRecording(w http.ResponseWriter, r *http.Request) {
	s.sendRecording(w, r, ndjson, func(replay Replay) error {
		return s.tell(w, func(w io.Writer) error { return replay.Write(r.Context(), w, s.hall.recording()[r.PathValue("name")]) })
	})
}

// getSingle sends a recording as a file of its own.
func (s *Server) getSingle(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(r.PathValue("name"), recording.Extension)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".html"}))
	s.sendRecording(w, r, kinds[".html"], func(replay Replay) error {
		return s.tell(w, func(w io.Writer) error {
			return WriteSingle(w, Single{
				Name: name, When: replay.Started(),
				Events: func(w io.Writer) error { return replay.Write(r.Context(), w, s.hall.recording()[r.PathValue("name")]) },
			})
		})
	})
}

// tell has a recording written, which takes the processor: a match is played again,
// and perhaps compressed. Those who ask take turns at that, part by part, so that a
// crowd leaves the other processors to the match that is played. Nobody waits for
// one who reads slowly.
func (s *Server) tell(w io.Writer, write func(w io.Writer) error) error {
	s.telling.Lock()
	defer s.telling.Unlock()
	out := bufio.NewWriterSize(turns{w, &s.telling}, tellPart)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

const tellPart = 32 << 10 // bytes of an answer

// turns is written to by the holder of a lock, who lets others have it meanwhile.
type turns struct {
	io.Writer
	lock *sync.Mutex
}

func (t turns) Write(b []byte) (int, error) {
	t.lock.Unlock()
	defer t.lock.Lock()
	return t.Writer.Write(b)
}

// sendRecording finds the recording that is asked for and has it written.
func (s *Server) sendRecording(w http.ResponseWriter, r *http.Request, kind string, write func(Replay) error) {
	if s.opts.Recordings == nil {
		fail(w, http.StatusNotFound, "recordings are off")
		return
	}
	name := r.PathValue("name")
	if strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") {
		fail(w, http.StatusNotFound, "there is no recording %s", name)
		return
	}
	replay, err := s.opts.Recordings.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fail(w, http.StatusNotFound, "there is no recording %s", name)
		return
	case err != nil:
		fail(w, http.StatusUnprocessableEntity, "%s %v", name, err)
		return
	}
	defer replay.Close()
	takeTime(w)
	w.Header().Set("Content-Type", kind)
	if r.Method == http.MethodHead {
		return
	}
	if err := write(replay); err != nil {
		panic(http.ErrAbortHandler) // so that the reader sees that it is cut
	}
}
