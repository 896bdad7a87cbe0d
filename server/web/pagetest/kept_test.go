//go:build browser

package pagetest

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

const recordedTurns = 90

// recorded returns a finished match.
func recorded(t *testing.T) *show {
	s := newShow(t, maps.Default, recordedTurns)
	s.join(seats...)
	s.finish()
	return s
}

// kept opens a recording at a fragment such as "#t=43".
type kept func(t *testing.T, fragment string) *tab

// eachKept runs a test with the recording of a match both on a server and as an exported
// file without network.
func eachKept(t *testing.T, test func(*testing.T, *show, kept)) {
	s := recorded(t)
	t.Run("served", func(t *testing.T) {
		test(t, s, func(t *testing.T, fragment string) *tab { return open(t, s.recordingURL(fragment)) })
	})
	t.Run("file", func(t *testing.T) {
		file := s.single(t)
		test(t, s, func(t *testing.T, fragment string) *tab { return open(t, file+fragment, offline()) })
	})
}

// events returns the events of the recording, one per line.
func (s *show) events() []byte {
	s.t.Helper()
	r, err := recording.Open(s.recorder.Path())
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Close()
	about := feed.Recorded{
		ID:    filepath.Base(s.recorder.Path()),
		Again: func() (*recording.Reader, error) { return recording.Open(s.recorder.Path()) },
	}
	var events bytes.Buffer
	if err := feed.WriteRecorded(s.t.Context(), &events, about, r, replays); err != nil {
		s.t.Fatal(err)
	}
	return events.Bytes()
}

// single exports the recording to a file after applying edits to its events, and returns the
// file's address.
func (s *show) single(t *testing.T, edits ...func([]byte) []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "match & more.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := s.events()
	for _, edit := range edits {
		text = edit(text)
	}
	err = web.WriteSingle(f, web.Single{Name: filepath.Base(s.recorder.Path()), When: time.Date(2026,
		11, 20, 12, 0, 0, 0, time.UTC), Events: func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// offline disconnects a tab from the network and tells the page.
func offline() void { return setOffline(true) }

// online turns it on again.
func online() void { return setOffline(false) }

func setOffline(off bool) void {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		everything := []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}}
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule,
			network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: everything})
		if err == nil {
			_, err = cdp.Call(ctx, t, network.OverrideNetworkState,
				network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1})
		}
		return err
	})
}
