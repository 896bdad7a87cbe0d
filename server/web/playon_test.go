package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/web"
)

// A match is played on for the operator at this machine, one at a time, and until the client goes.
func TestPlayOn(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	begun, gone := make(chan struct{}, 1), make(chan error, 1)
	operates := func(token string) bool { return token == "secret" }
	r := newRecorded(t, 5, func(o *web.Options) {
		o.Operates = operates
		o.PlayOn = func(ctx context.Context, name string, on web.PlayOnOptions) (string, error) {
			switch on.From {
			case 1:
				return fmt.Sprint(name, on.Seats), nil
			case 2:
				return "", errors.New("painter: no such bot")
			}
			begun <- struct{}{}
			<-ctx.Done()
			gone <- ctx.Err()
			return "", ctx.Err()
		}
	})
	r.whole(5)
	ask := func(ctx context.Context, name, token, body string, header ...string) (int, string) {
		t.Helper()
		q, err := http.NewRequestWithContext(ctx, "POST", r.URL()+"api/recordings/"+name+"/play",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+token)
		for i := 0; i+1 < len(header); i += 2 {
			q.Header.Set(header[i], header[i+1])
		}
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	name := r.name()
	for _, c := range []struct {
		name, token, body, want string
		header                  []string
	}{
		{name, "secret", `{"from":1,"seats":["painter"]}`, `200 {"recording":"` + name + `[painter]"}`, nil},
		{name, "secret", `{"from":2}`, `422 {"error":"painter: no such bot"}`, nil},
		{name, "secret", `{"form":2}`, `400 `, nil},
		{name, "secret", `{"seats":["` + strings.Repeat("x", 20<<10) + `"]}`, `400 `, nil},
		{name, "wrong", `{"from":1}`, `401 `, nil},
		{name, "secret", `{"from":1}`, `403 {"error":"only a browser on the server's own machine may start bots"}`, []string{"X-Forwarded-For", "192.168.1.9"}},
		{name, "secret", `{"from":1}`, `403 `, []string{"Sec-Fetch-Site", "cross-site"}},
		{"none.hexarena", "secret", `{"from":1}`, `404 `, nil},
	} {
		status, text := ask(t.Context(), c.name, c.token, c.body, c.header...)
		if got := fmt.Sprint(status, " ", text); !strings.HasPrefix(got, c.want) {
			t.Errorf("%.40s: %s, want %s", c.body, got, c.want)
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() { defer close(left); ask(ctx, name, "secret", `{"from":3}`) }()
	wait(t, begun)
	if status, text := ask(t.Context(), name, "secret", `{"from":1}`); status != http.StatusServiceUnavailable {
		t.Errorf("a second match: %d %s", status, text)
	}
	leave()
	wait(t, left)
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("when the client has gone: %v", err)
	}
	if status, text, _ := newRecorded(t, 5).do("POST", "/api/recordings/x/play", nil); status != http.StatusNotFound {
		t.Errorf("a server that plays none on: %d %s", status, text)
	}
}
