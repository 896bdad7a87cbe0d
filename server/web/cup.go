package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
)

// Cup gives access to a cup, which may be played meanwhile. Many goroutines call its methods.
type Cup interface {
	// Scoreboard returns what the page shows of the cup. It is called as often as viewers ask, so
	// that it has to limit its work itself.
	Scoreboard() (*Document, error)
	// Matches returns a JSON list of the matches of two bots that can be seen, the last one first.
	Matches(bot, against string) ([]byte, error)
}

// The pages: that of matches, the same in one script for an exported file, and that of a cup with
// its path.
const (
	matchFile  = "index.html"
	singleFile = "single.html"
	cupFile    = "cup.html"
	embedPath  = "embed" // matchFile, to be shown in a frame
	cupPath    = "cup"
)

// Document is a JSON object that is sent to many clients. It is compressed once.
type Document struct{ asset }

// NewDocument returns the document of a JSON object.
func NewDocument(data []byte) *Document {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(data) // a buffer does not fail
	_ = w.Close()
	sum := sha256.Sum256(data)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return &Document{
		asset{data: data, gzip: packed.Bytes(), kind: kinds[".json"], tag: tag, cache: revalidate},
	}
}

// JSON returns the object.
func (d *Document) JSON() []byte { return d.data }

// getCup sends the scoreboard, unless the client has it.
func (s *Server) getCup(w http.ResponseWriter, r *http.Request) {
	if !s.hasCup(w) {
		return
	}
	d, err := s.opts.Cup.Scoreboard()
	if err != nil {
		s.failCup(w, err)
		return
	}
	d.send(w, newPaced(w), r)
}

func (s *Server) getCupMatches(w http.ResponseWriter, r *http.Request) {
	if !s.hasCup(w) {
		return
	}
	query := r.URL.Query()
	list, err := s.opts.Cup.Matches(query.Get("bot"), query.Get("against"))
	if err != nil {
		s.failCup(w, err)
		return
	}
	writeJSON(w, list)
}

// hasCup reports whether this server shows a cup. If not, it answers the request.
func (s *Server) hasCup(w http.ResponseWriter) bool {
	if s.opts.Cup == nil {
		fail(w, http.StatusNotFound, "this server shows no cup")
	}
	return s.opts.Cup != nil
}

// failCup answers that the cup cannot be read. The reason names files, which viewers must not
// learn.
func (s *Server) failCup(w http.ResponseWriter, err error) {
	s.opts.Log.Error().Err(err).Msg("Cannot read the cup")
	fail(w, http.StatusInternalServerError,
		"the cup cannot be read; the reason is in the server's log")
}
