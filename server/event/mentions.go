package event

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/cup/site"
)

// ownEntries are what an event writes to its folder. Everything else is an operator's, such as a
// class list, or an export.
var ownEntries = []string{
	rowsFile, planFile, matchesDir, versionsDir, workersDir, outputDir, secretFile, "acts", examsDir,
	originFile, lockFile,
}

// maxSearched bounds the bytes that a search reads of a file and of its packed content. Exports of a
// day take a few MiB; a hostile archive of that size unpacks to terabytes.
const maxSearched = 256 << 20

// maxNested is how deep archives within archives are searched: one that has itself as a file has no
// end. Those below are searched as text.
const maxNested = 4

// Foreign is what an event's folder holds beside what the event writes, when a team is forgotten.
// Paths are relative to the folder.
type Foreign struct {
	// Exports are the folders of which the files that cup export has written were removed, since
	// their pages hold recordings.
	Exports []string `json:"removed"`
	Named   []string `json:"named"` // files that name the team, and are the operator's to change
	// Unsearched are files that may name the team too, but cannot be read or have more than
	// maxSearched bytes.
	Unsearched []string `json:"unsearched"`
}

// foreign removes exports, and finds the other files in the folder that name a forgotten team.
func (x *erasure) foreign() (f Foreign, err error) {
	f = Foreign{[]string{}, []string{}, []string{}}
	var words []string
	for _, name := range x.traces.Names {
		quoted, _ := json.Marshal(name) // texts do not fail
		words = append(words, name, html.EscapeString(name), strings.Trim(string(quoted), `"`))
	}
	for _, t := range x.teams.Forgotten() {
		words = append(words, x.secret.token(t.Number))
	}
	err = filepath.WalkDir(x.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it cannot be read here, so that the event has not written it
		}
		name, _ := filepath.Rel(x.dir, path)
		if d.IsDir() {
			if exported := site.Files(path); len(exported) > 0 {
				f.Exports = append(f.Exports, name)
				if err := x.removeFiles(exported); err != nil {
					return err
				}
			}
		}
		switch {
		case slices.Contains(ownEntries, name) && d.IsDir():
			return fs.SkipDir
		case slices.Contains(ownEntries, name):
		case d.Type().IsRegular():
			switch found, whole := fileMentions(path, words); {
			case found:
				f.Named = append(f.Named, name)
			case !whole:
				f.Unsearched = append(f.Unsearched, name)
			}
		}
		return nil
	})
	return f, err
}

// fileMentions reports whether a file has one of some words, also where it is compressed, and
// whether all of it was searched.
func fileMentions(path string, words []string) (found, whole bool) {
	f, err := os.Open(path)
	if err != nil {
		return false, false
	}
	s := &search{words, maxSearched}
	found = s.mentions(s.read(f), maxNested)
	return found, s.left >= 0
}

// search looks for words in a file and in all that is packed in it.
type search struct {
	words []string
	left  int64 // bytes that may still be read; negative: there were more
}

// mentions reports whether a text, a compressed one or an archive has one of the words. It unpacks
// what is at most depth deep.
func (s *search) mentions(text []byte, depth int) bool {
	switch {
	case depth == 0:
	case bytes.HasPrefix(text, []byte("PK\x03\x04")):
		z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		return err == nil && slices.ContainsFunc(z.File, func(f *zip.File) bool {
			r, err := f.Open()
			return hasWord([]byte(f.Name), s.words) || err == nil && s.mentions(s.read(r), depth-1)
		})
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		r, err := gzip.NewReader(bytes.NewReader(text))
		return err == nil && s.mentions(s.read(r), depth-1)
	case bytes.HasPrefix(text, []byte("\x28\xb5\x2f\xfd")):
		r, err := zstd.NewReader(bytes.NewReader(text))
		return err == nil && s.mentions(s.read(r.IOReadCloser()), depth-1)
	}
	return hasWord(text, s.words)
}

// read returns what a reader has, without a rest that is damaged or too long.
func (s *search) read(r io.ReadCloser) []byte {
	defer r.Close()
	text, _ := io.ReadAll(io.LimitReader(r, max(0, s.left+1)))
	s.left -= int64(len(text))
	return text
}

// hasWord reports whether a text has one of some words with no letter or digit beside it.
func hasWord(text []byte, words []string) bool {
	part := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	return slices.ContainsFunc(words, func(word string) bool {
		for rest := text; ; {
			i := bytes.Index(rest, []byte(word))
			if i < 0 {
				return false
			}
			before, _ := utf8.DecodeLastRune(rest[:i])
			after, _ := utf8.DecodeRune(rest[i+len(word):])
			if !part(before) && !part(after) {
				return true
			}
			rest = rest[i+max(1, len(word)):]
		}
	})
}
