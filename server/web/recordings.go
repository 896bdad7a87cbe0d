package web

import (
	"bufio"
	"bytes"
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

// Recordings gives access to recorded matches. Many goroutines call its methods.
type Recordings interface {
	// List returns all recordings, the newest first.
	List() ([]Recording, error)
	// Open opens a recording. The error is fs.ErrNotExist, or one whose text follows the
	// recording's name.
	Open(name string) (Replay, error)
	// Version returns a value that changes whenever the recording does. The error is
	// fs.ErrNotExist.
	Version(name string) (Version, error)
}

// Version identifies the contents of a recording that may still be written.
type Version struct {
	Size     int64 // bytes
	Modified time.Time
}

// Replay writes the events of one recorded match, one per line.
type Replay interface {
	// Started returns when the match was played.
	Started() time.Time
	// Write returns a [*recording.DamageError] if the file is damaged. If the damage is after
	// the first event, the last event reports it, too. running says whether the match is
	// still being played, for the event that replaces a missing end.
	Write(ctx context.Context, w io.Writer, running bool) error
	Close() error
}

// Recording describes a recorded match.
type Recording struct {
	Name   string    `json:"name"` // the name to open it by
	When   time.Time `json:"when"`
	Rules  string    `json:"rules"`
	Map    string    `json:"map"`
	Seats  []string  `json:"seats"`  // names, by player id
	Turns  int       `json:"turns"`  // number of turns
	Winner int       `json:"winner"` // player id; -1: no player
	Scores []int64   `json:"scores"` // after the last turn, by player id; empty: not known
	Size   int64     `json:"size"`   // bytes

	State    State `json:"state"`
	Complete bool  `json:"complete"` // the state is Complete
}

// State is how much of its match a recording contains.
type State string

// The states.
const (
	Complete State = "complete"
	Running  State = State(feed.Running) // this server is playing the match
	// the program was stopped, the file was truncated, or another process is writing it
	Truncated State = State(feed.Truncated)
	Damaged   State = State(feed.Damaged) // as far as it has been read
)

// recordingAPI handles the requests for recordings: it lists, sends, draws, judges and deletes
// them, and plays on from them.
type recordingAPI struct {
	*Server
	judging  semaphore // held while a recording is judged
	playing  semaphore // held while a recorded match is played on
	prepared *preparedCache
	pictures pictureCache
}

// newRecordingAPI returns the part of a server that handles recordings, whose work for later
// requests ends with life.
func newRecordingAPI(life context.Context, s *Server) *recordingAPI {
	return &recordingAPI{
		Server: s, judging: make(semaphore, 1), playing: make(semaphore, 1),
		prepared: newPreparedCache(life, s.opts.Recordings, s.opts.Log),
	}
}

func (a *recordingAPI) getRecordings(w http.ResponseWriter, r *http.Request) {
	if a.opts.Recordings == nil {
		fail(w, http.StatusNotFound, "recordings are off")
		return
	}
	list, err := a.opts.Recordings.List()
	if err != nil {
		a.opts.Log.Error().Err(err).Msg("Cannot list recordings")
		fail(w, http.StatusInternalServerError, "the recordings cannot be listed")
		return
	}
	running := a.matches.recordings()
	shown := make([]Recording, 0, len(list)) // list must not be changed
	for _, r := range list {
		if now, here := running[r.Name]; here && r.State == Truncated && (now || a.changed(&r)) {
			r.State = Running
		}
		shown = append(shown, r)
	}
	answer(w, http.StatusOK, shown)
}

// changed reports whether a file has changed since it was listed: the match may have ended
// after that.
func (a *recordingAPI) changed(r *Recording) bool {
	v, err := a.opts.Recordings.Version(r.Name)
	return err == nil && v.Size != r.Size
}

// getRecording sends the events of a recording, compressed if the client accepts gzip.
func (a *recordingAPI) getRecording(w http.ResponseWriter, r *http.Request) {
	a.sendPrepared(w, r, ndjson, func(p *prepared) error {
		w.Header().Set("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
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

// getRecordedEnd sends the last event of a recording, which is a small part of it.
func (a *recordingAPI) getRecordedEnd(w http.ResponseWriter, r *http.Request) {
	a.sendPrepared(w, r, "application/json", func(p *prepared) error {
		events, err := gzip.NewReader(p.reader())
		if err != nil {
			return err
		}
		var last, line []byte
		for lines := bufio.NewReader(events); err == nil; {
			last = line
			line, err = lines.ReadBytes('\n')
		}
		if err != io.EOF {
			return err
		}
		_, err = w.Write(bytes.TrimSuffix(last, []byte("\n")))
		return err
	})
}

// postDelete deletes a recording for the operator.
func (a *recordingAPI) postDelete(w http.ResponseWriter, r *http.Request) {
	name := a.recordingName(w, r)
	if name == "" {
		return
	}
	if a.opts.Remove == nil {
		fail(w, http.StatusNotFound, "the recordings of this server cannot be deleted here")
		return
	}
	if !a.operates(w, r) {
		return
	}
	if a.matches.recordings()[name] {
		fail(w, http.StatusConflict, "the match of %s is still being played", name)
		return
	}
	switch err := a.opts.Remove(name); {
	case errors.Is(err, fs.ErrNotExist):
		failRecording(w, name, err)
	case err != nil:
		a.opts.Log.Error().Err(err).Str("recording", name).Msg("Cannot delete a recording")
		fail(w, http.StatusInternalServerError, "%s cannot be deleted; the reason is in the server's log",
			name)
	default:
		answer(w, http.StatusOK, map[string]string{"deleted": name})
	}
}

// acceptsGzip reports whether a client accepts gzip.
func acceptsGzip(r *http.Request) bool {
	for _, coding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name == "gzip" {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
			return err != nil || q > 0 // an error means that there is no quality
		}
	}
	return false
}

// getSingle sends a recording as a single HTML file.
func (a *recordingAPI) getSingle(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(r.PathValue("name"), recording.Extension)
	a.sendPrepared(w, r, kinds[".html"], func(p *prepared) error {
		w.Header().Set("Content-Disposition",
			mime.FormatMediaType("attachment", map[string]string{"filename": name + ".html"}))
		out := bufio.NewWriterSize(newPaced(w), writeSize)
		err := writeSingle(out, name, p.started, func(w io.Writer) error {
			_, err := io.Copy(w, p.reader())
			return err
		})
		return errors.Join(err, out.Flush())
	})
}

// sendPrepared prepares the requested recording and calls send with it. A HEAD request gets
// only the content type, and nothing is prepared.
func (a *recordingAPI) sendPrepared(
	w http.ResponseWriter, r *http.Request, contentType string, send func(*prepared) error,
) {
	if r.Method == http.MethodHead {
		if a.findRecording(w, r) {
			w.Header().Set("Content-Type", contentType)
		}
		return
	}
	name := a.recordingName(w, r)
	if name == "" {
		return
	}
	p, err := a.prepared.get(r.Context(), name, a.matches.recordings()[name])
	if err != nil {
		failRecording(w, name, err)
		return
	}
	defer a.prepared.release(p)
	tag := p.tag()
	w.Header().Set("ETag", tag)
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", contentType)
	if err := send(p); err != nil {
		panic(http.ErrAbortHandler) // so that the client notices that the response is incomplete
	}
}

// findRecording reports whether the requested recording can be opened. If not, it answers
// the request.
func (a *recordingAPI) findRecording(w http.ResponseWriter, r *http.Request) bool {
	name := a.recordingName(w, r)
	if name == "" {
		return false
	}
	replay, err := a.opts.Recordings.Open(name)
	if err != nil {
		failRecording(w, name, err)
		return false
	}
	_ = replay.Close()
	return true
}

// recordingName returns the name of the requested recording. If it cannot exist, it answers
// the request and returns "".
func (a *recordingAPI) recordingName(w http.ResponseWriter, r *http.Request) string {
	if a.opts.Recordings == nil {
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

// failRecording answers with the reason why a recording cannot be sent.
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
