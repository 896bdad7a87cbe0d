package web_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/web"
)

// Whatever a match contains, the file runs one script only and needs no network.
func TestSingle(t *testing.T) {
	const hostile = `{"x":"</script><script>alert(1)</script><!-- ]]> \u2028 "}` + "\n"
	var file strings.Builder
	err := web.WriteSingle(&file, web.Single{
		Name: `a"b<script>&.hexarena`,
		When: time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 3600)),
		Events: func(w io.Writer) error {
			_, err := io.WriteString(w, hostile)
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := file.String()
	if got := strings.Count(strings.ToLower(text), "<script"); got != 2 {
		t.Errorf("%d scripts start, want the page's and the recording", got)
	}
	if got := strings.Count(strings.ToLower(text), "</script"); got != 2 {
		t.Errorf("%d scripts end, want 2", got)
	}
	for _, outside := range []string{`src="assets`, `href="assets`, "url(http", `@import`} {
		if strings.Contains(text, outside) {
			t.Errorf("the file refers to what is not in it: %s", outside)
		}
	}
	for _, want := range []string{
		"connect-src 'none'", "default-src 'none'", "script-src 'sha256-",
		`data-when="2026-11-20T11:00:00Z"`,
		`data-name="a&#34;b&lt;script&gt;&amp;.hexarena"`, `href="data:image/svg+xml;base64,`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %s", want)
		}
	}
	data := regexp.MustCompile(`<script id="recording"[^>]*>([^<]*)</script>`).FindStringSubmatch(text)
	if data == nil {
		t.Fatal("the file has no recording")
	}
	packed, err := base64.StdEncoding.DecodeString(data[1])
	if err != nil {
		t.Fatal(err)
	}
	events, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(events); err != nil || string(got) != hostile {
		t.Errorf("the recording holds %q, %v; want %q", got, err, hostile)
	}
}

func TestSingleOfBrokenEvents(t *testing.T) {
	broken := errors.New("damaged")
	err := web.WriteSingle(io.Discard, web.Single{Events: func(io.Writer) error { return broken }})
	if !errors.Is(err, broken) {
		t.Errorf("WriteSingle = %v, want %v", err, broken)
	}
}
