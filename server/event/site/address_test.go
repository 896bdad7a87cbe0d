package site

import (
	"net/http"
	"testing"
)

// The address to join is that of the settings, or the one that a browser has used, or one of this
// machine; never one that only this machine or a container's host can reach.
func TestJoinAddress(t *testing.T) {
	for _, tt := range []struct {
		url, host string
		bots      []string
		want      string
	}{
		{"https://arena.example/", "127.0.0.1:4242", nil, "https://arena.example/join"},
		{"", "192.0.2.77:4242", nil, "http://192.0.2.77:4242/join"},
		{"", "arena.local:4242", nil, "http://arena.local:4242/join"},
		{"", "127.0.0.1:4242", nil, ""},
		{"", "[::1]:4242", []string{"127.0.0.1:4242"}, ""},
		{"", "localhost:4242", []string{
			"127.0.0.1:4242", "192.0.2.78:4242",
		}, "http://192.0.2.78:4242/join"},
	} {
		s := &Site{URL: tt.url}
		s.Bots.Store(&tt.bots)
		if got := s.joinAddress(&http.Request{Host: tt.host}); got != tt.want {
			t.Errorf("with --url %q, at %q and %q: %q, want %q", tt.url, tt.host, tt.bots, got, tt.want)
		}
	}
	s := &Site{TLS: true}
	s.Bots.Store(&[]string{"192.0.2.78:4242"})
	const https = "https://192.0.2.78:4242"
	if join := s.joinAddress(&http.Request{Host: "localhost:4242"}); join != https+"/join" ||
		s.Here() != https {
		t.Errorf("with a certificate: %s and %s, want %s", s.Here(), join, https)
	}
	for _, name := range []string{"docker0", "br-12ab", "podman1", "virbr0"} {
		if !isBridge(name) {
			t.Errorf("%s is for other machines", name)
		}
	}
	if isBridge("eth0") || isBridge("wlp3s0") {
		t.Error("interfaces of the network are for containers only")
	}
}
