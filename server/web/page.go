package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// dist is the page as built from its sources. The build compresses the files in assets/.
//
//go:embed all:dist
var dist embed.FS

// asset is one file of the page.
type asset struct {
	data  []byte
	gzip  []byte // data compressed by the build; nil if it is not
	kind  string // media type
	tag   string
	cache string
}

// page serves the files of the page.
type page map[string]asset

// Files in assets/ have a hash of their contents in their names.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
	assetPath  = "assets/"
)

func newPage() page {
	p := page{}
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		name, compressed := strings.CutSuffix(strings.TrimPrefix(name, "dist/"), ".gz")
		p[name], err = newAsset(name, data, compressed)
		return err
	})
	if err != nil {
		panic(err) // embedded files can always be read, and a test decompresses them
	}
	return p
}

// newAsset returns the asset of a file of dist, which may be compressed.
func newAsset(name string, data []byte, compressed bool) (asset, error) {
	a := asset{data: data, kind: kindOf(name), cache: revalidate}
	if compressed {
		plain, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return asset{}, err
		}
		a.gzip = data
		if a.data, err = io.ReadAll(plain); err != nil {
			return asset{}, err
		}
	}
	sum := sha256.Sum256(a.data)
	a.tag = `"` + hex.EncodeToString(sum[:8]) + `"`
	if strings.HasPrefix(name, assetPath) {
		a.cache = immutable
	}
	return a, nil
}

// kinds are the media types of the page's files. The system's own types differ between
// machines.
var kinds = map[string]string{
	".css":         "text/css; charset=utf-8",
	".gif":         "image/gif",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

func kindOf(name string) string {
	if kind, ok := kinds[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// File returns a handler that answers with a file of the page, such as one that refers to scripts
// of its own.
func File(name string) http.Handler {
	a := files()[name]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.send(w, w, r) })
}

// files holds the files of the page, which all servers share.
var files = sync.OnceValue(newPage)

// serve answers with the requested file. The page of a server that shows a cup begins with the cup;
// its recordings are shown as those of other servers.
func (p page) serve(s *Server, w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	switch {
	case name == "" && s.opts.Cup != nil && r.URL.RawQuery == "":
		http.Redirect(w, r, "/"+cupPath, http.StatusFound)
		return
	case name == "":
		name = matchFile
	case name == embedPath:
		name = matchFile
		allowFrames(w.Header())
	case name == cupPath && s.opts.Cup != nil:
		name = cupFile
	}
	a, ok := p[name]
	if !ok {
		fail(w, http.StatusNotFound, "there is no %s", r.URL.Path)
		return
	}
	a.send(w, w, r)
}

// send answers with the asset, compressed if the client accepts gzip, or says that it has not
// changed. out writes the response.
func (a *asset) send(w http.ResponseWriter, out io.Writer, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", a.cache)
	data, tag := a.data, a.tag
	if a.gzip != nil {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
			h.Set("Content-Encoding", "gzip")
			data, tag = a.gzip, strings.TrimSuffix(tag, `"`)+`-gzip"` // other bytes have another tag
		}
	}
	h.Set("ETag", tag)
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = out.Write(data)
}
