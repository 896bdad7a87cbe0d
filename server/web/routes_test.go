package web

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// A handler that cuts its response off is no fault; any other panic is logged. Both end the
// connection.
func TestAbortedResponses(t *testing.T) {
	for why, logged := range map[any]bool{http.ErrAbortHandler: false, "broken": true} {
		var log bytes.Buffer
		s := &Server{opts: Options{Log: zerolog.New(&log)}}
		handler := s.guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(why) }))
		func() {
			defer func() {
				if got := recover(); got != http.ErrAbortHandler {
					t.Errorf("%v: the server gets %v, want http.ErrAbortHandler", why, got)
				}
			}()
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
		}()
		if got := strings.Contains(log.String(), "Request failed"); got != logged {
			t.Errorf("%v: the log has %q", why, &log)
		}
	}
}
