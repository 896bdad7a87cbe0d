package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Single is a recording to be written as one HTML file: the page with the events in it,
// which a browser can open from a disk without a server or a network.
type Single struct {
	Name   string                  // the recording's name
	When   time.Time               // when the match was played
	Events func(w io.Writer) error // writes the events, one per line
}

// WriteSingle writes the file.
func WriteSingle(w io.Writer, s Single) error {
	return writeSingle(w, s.Name, s.When, func(w io.Writer) error {
		packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		if err := s.Events(packed); err != nil {
			return err
		}
		return packed.Close()
	})
}

// writeSingle writes a recording, compressed by gzip, as a single page.
func writeSingle(w io.Writer, name string, when time.Time, packed func(w io.Writer) error) error {
	shell, err := matchShell()
	if err != nil {
		return err
	}
	about := fmt.Sprintf(` data-name="%s" data-when="%s"`, html.EscapeString(name),
		when.UTC().Format(time.RFC3339))
	return shell.write(w, name, "recording", about, packed)
}

// WriteCup writes a scoreboard, in JSON, as one HTML file: the page of the cup, which a browser can
// open from a disk without a server or a network.
func WriteCup(w io.Writer, title string, scoreboard []byte) error {
	shell, err := cupShell()
	if err != nil {
		return err
	}
	return shell.write(w, title, "cup", "", func(w io.Writer) error {
		_, err := w.Write(NewDocument(scoreboard).gzip)
		return err
	})
}

// shell is a page without what it shows: the parts before its title, between the title and what it
// shows, and after that. They are bytes, so that a response of which little is read holds no copy
// of them.
type shell struct{ head, middle, tail []byte }

// write writes the page with a gzip file in base64, so that no text in it can end the HTML element
// that contains it. The element has this id and further attributes.
func (s *shell) write(
	w io.Writer, title, id, attributes string, packed func(w io.Writer) error,
) error {
	titled := "<title>" + html.EscapeString(title) + " · hexarena</title>"
	opened := fmt.Sprintf(`<script id="%s" type="application/gzip"%s>`, id, attributes)
	for _, part := range [][]byte{s.head, []byte(titled), s.middle, []byte(opened)} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	text := base64.NewEncoder(base64.StdEncoding, w)
	if err := packed(text); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "</script>\n"); err != nil {
		return err
	}
	_, err := w.Write(s.tail)
	return err
}

// matchShell and cupShell inline the files of a page into its HTML, once.
var (
	matchShell = sync.OnceValues(func() (*shell, error) { return newShell(files(), singleFile) })
	cupShell   = sync.OnceValues(func() (*shell, error) { return newShell(files(), cupFile) })
)

// References in the page's HTML, with the paths that the build gives them.
var (
	iconTag   = regexp.MustCompile(`href="(assets/[^"]+\.svg)"`)
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="(assets/[^"]+\.css)">`)
	scriptTag = regexp.MustCompile(`<script src="(assets/[^"]+\.js)" type="module"></script>`)
	titleTag  = regexp.MustCompile(`<title>[^<]*</title>`)
)

func newShell(p page, file string) (*shell, error) {
	text := string(p[file].data)
	var hashes [2]string
	for i, inline := range []struct {
		tag         *regexp.Regexp
		open, close string
		never       string // what would end the element or change how it is parsed
	}{
		{styleTag, "<style>", "</style>", `(?i)</style`},
		{scriptTag, `<script type="module">`, "</script>", `(?i)</?script|<!--`},
	} {
		at := inline.tag.FindStringSubmatchIndex(text)
		if at == nil {
			return nil, fmt.Errorf("the page has no %s", inline.tag)
		}
		data := bytes.ReplaceAll(p[text[at[2]:at[3]]].data, []byte("\r\n"), []byte("\n"))
		if found := regexp.MustCompile(inline.never).Find(data); found != nil {
			return nil, fmt.Errorf("the page's %s contains %q", text[at[2]:at[3]], found)
		}
		sum := sha256.Sum256(data)
		hashes[i] = base64.StdEncoding.EncodeToString(sum[:])
		text = text[:at[0]] + inline.open + string(data) + inline.close + text[at[1]:]
	}
	if at := iconTag.FindStringSubmatchIndex(text); at != nil {
		icon := base64.StdEncoding.EncodeToString(p[text[at[2]:at[3]]].data)
		text = text[:at[0]] + `href="data:image/svg+xml;base64,` + icon + `"` + text[at[1]:]
	}
	title := titleTag.FindStringIndex(text)
	body := strings.LastIndex(text, "</body>")
	meta := strings.Index(text, "<meta charset")
	if title == nil || body < 0 || meta < 0 || title[0] < meta {
		return nil, errors.New("the page has no title, no body or no character set")
	}
	// The policy must precede everything that it applies to.
	policy := fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; "+
		"img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action "+
		"'none'", hashes[1], hashes[0])
	head := text[:meta] + `<meta http-equiv="Content-Security-Policy" content="` + policy +
		"\">\n" + text[meta:title[0]]
	return &shell{[]byte(head), []byte(text[title[1]:body]), []byte(text[body:])}, nil
}
