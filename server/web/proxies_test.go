package web

import (
	"net/http"
	"net/netip"
	"testing"
)

// The client of a request is told by trusted proxies only, and nothing that it writes itself is
// believed.
func TestClientOf(t *testing.T) {
	proxies := []netip.Prefix{
		netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8"),
	}
	for _, tt := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"127.0.0.1:9", nil, "127.0.0.1:9"},
		{"127.0.0.1:9", []string{"192.0.2.7"}, "192.0.2.7:0"},
		{"[::ffff:127.0.0.1]:9", []string{"192.0.2.7"}, "192.0.2.7:0"},
		{"127.0.0.1:9", []string{"1.2.3.4, 192.0.2.7"}, "192.0.2.7:0"},
		{"127.0.0.1:9", []string{"1.2.3.4", "192.0.2.7"}, "192.0.2.7:0"},
		{"127.0.0.1:9", []string{"1.2.3.4, 192.0.2.7, 10.1.1.1"}, "192.0.2.7:0"},
		{"127.0.0.1:9", []string{"192.0.2.7, nonsense"}, "127.0.0.1:9"},
		{"127.0.0.1:9", []string{"2001:db8::1"}, "[2001:db8::1]:0"},
		{"192.0.2.9:9", []string{"1.2.3.4"}, "192.0.2.9:9"}, // no proxy
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{"X-Forwarded-For": tt.forwarded}}
		if got := clientOf(r, proxies); got != tt.want {
			t.Errorf("%s with %q: client %s, want %s", tt.peer, tt.forwarded, got, tt.want)
		}
		if got := clientOf(r, nil); got != tt.peer {
			t.Errorf("%s with %q is believed without a trusted proxy: %s", tt.peer, tt.forwarded, got)
		}
	}
}
