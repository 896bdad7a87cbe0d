package hivemaker

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Clients other than the operator cannot have private addresses dialled, in any
// spelling. In public mode, the operator cannot either.
func TestAddressesInside(t *testing.T) {
	dialled := make(chan string, 64)
	inside := httptest.NewServer(
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { dialled <- r.Host }))
	defer inside.Close()
	u, err := url.Parse(inside.URL)
	if err != nil {
		t.Fatal(err)
	}
	forms := []string{
		"2130706433:%s", "0x7f000001:%s", "0x7f.0.0.1:%s", "0177.0.0.1:%s", "017700000001:%s", "127.1:%s",
		"[::ffff:127.0.0.1]:%s", "[::ffff:7f00:1]:%s",
		"[::1]:%s", "0.0.0.0:%s", "0:%s", "localhost:%s", "LOCALHOST:%s", "localhost.:%s", "①②⑦.0.0.1:%s",
		"127。0。0。1:%s", "127.0.0.1:%s",
		"example.com@127.0.0.1:%s", "file:///etc/passwd?%s", "gopher://127.0.0.1:%s/", "unix:///run/x?%s",
		"http://127.0.0.1:%s/\r\nX: y",
	}
	for name, o := range map[string]Options{
		"anyone": {AnyoneMayRequest: true, MaxGames: 2 * len(forms)},
		"public": {Public: true, MaxGames: 2 * len(forms)},
	} {
		h := open(t, o)
		for _, form := range forms {
			body := fmt.Sprintf(`{"player_o":{"type":"bot","bot_url":%q}}`, fmt.Sprintf(form, u.Port()))
			status, created := h.postAsStranger(t, body)
			if !o.AnyoneMayRequest {
				status, created, _ = h.post(t, body)
			}
			if status == http.StatusUnprocessableEntity {
				continue
			}
			if status != http.StatusOK {
				t.Errorf("%s, POST %s: %d", name, body, status)
				continue
			}
			c := h.dial(t, "/ws?token="+created.TokenCross)
			if got := c.readRest(); !strings.Contains(got, `"winner":"x","reason":"forfeit"`) {
				t.Errorf("%s, %s: received %s, want the bot to lose", name, form, got)
			}
		}
	}
	select {
	case host := <-dialled:
		t.Errorf("the server dialled %s", host)
	default:
	}
}
