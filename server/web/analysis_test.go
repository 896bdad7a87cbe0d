package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// anything is a folder in which each recording exists and is empty.
type anything struct{}

func (anything) List() ([]web.Recording, error)               { return nil, nil }
func (anything) Open(string) (web.Replay, error)              { return anything{}, nil }
func (anything) Started() time.Time                           { return time.Time{} }
func (anything) Write(context.Context, io.Writer, bool) error { return nil }
func (anything) Version(string) (web.Version, error)          { return web.Version{}, nil }
func (anything) Close() error                                 { return nil }

// An error before the first line sets the status; afterwards it is the last line.
func TestAnalysisErrors(t *testing.T) {
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) {
		o.Recordings, o.Judges = anything{}, []string{"threat"}
		o.Analyse = func(_ context.Context, _ string, a web.AnalysisOptions, w io.Writer) error {
			if a.Judge == "unknown" {
				return errors.New("there is no such judge")
			}
			fmt.Fprintln(w, `{"judge":{}}`)
			return errors.New("the judge has left")
		}
	})
	if _, body, _ := s.get("/api/health"); !strings.Contains(body, `"judges":["threat"]`) {
		t.Errorf("health: %s", body)
	}
	for _, test := range []struct {
		request string
		status  int
		want    string
	}{
		{`{"judge":"unknown"}`, http.StatusUnprocessableEntity, `{"error":"there is no such judge"}`},
		{``, http.StatusOK, "{\"judge\":{}}\n{\"error\":\"the judge has left\"}\n"},
	} {
		resp, err := http.Post(s.URL()+"api/recordings/x/analysis", "application/json",
			strings.NewReader(test.request))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != test.status || string(body) != test.want {
			t.Errorf("%q: %d %s, %v; want %d %s", test.request, resp.StatusCode, body, err, test.status,
				test.want)
		}
	}
}
