package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// dist is the page as built from its sources.
//
//go:embed all:dist
var dist embed.FS

// asset is one file of the page.
type asset struct {
	data  []byte
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
		name = strings.TrimPrefix(name, "dist/")
		p[name] = newAsset(name, data)
		return nil
	})
	if err != nil {
		panic(err) // embedded files can always be read
	}
	return p
}

func newAsset(name string, data []byte) asset {
	sum := sha256.Sum256(data)
	a := asset{data: data, kind: kindOf(name), tag: `"` + hex.EncodeToString(sum[:8]) + `"`, cache: revalidate}
	if strings.HasPrefix(name, assetPath) {
		a.cache = immutable
	}
	return a
}

// kinds are the media types of the page's files. The system's own types differ between
// machines.
var kinds = map[string]string{
	".css":         "text/css; charset=utf-8",
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

// serve answers with the requested file.
func (p page) serve(_ *Server, w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	a, ok := p[name]
	if !ok {
		fail(w, http.StatusNotFound, "there is no %s", r.URL.Path)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", a.cache)
	h.Set("ETag", a.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), a.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(a.data)))
	_, _ = w.Write(a.data)
}
