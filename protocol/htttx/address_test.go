package htttx

import (
	"net/url"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ address, capabilities string }{
		{"http://localhost:8002", "http://localhost:8002/capabilities.json"},
		{"http://localhost:8002/", "http://localhost:8002/capabilities.json"},
		{"https://bots.example/ann", "https://bots.example/ann/capabilities.json"},
		{"ws://localhost:8002", "http://localhost:8002/capabilities.json"},
		{"wss://bots.example/a/b/", "https://bots.example/a/b/capabilities.json"},
		{"localhost:8002", "http://localhost:8002/capabilities.json"},
		{"bots.example", "http://bots.example/capabilities.json"},
		{" 127.0.0.1:9 ", "http://127.0.0.1:9/capabilities.json"},
		{"[::1]:9", "http://[::1]:9/capabilities.json"},
		{"http://h/api/capabilities.json?x=1#y", "http://h/api/capabilities.json"},
		{"http://h/api?#", "http://h/api/capabilities.json"},
	} {
		u, err := CapabilitiesURL(tt.address)
		if err != nil || u.String() != tt.capabilities {
			t.Errorf("CapabilitiesURL(%q) = %v, %v, want %s", tt.address, u, err, tt.capabilities)
		}
	}
	for _, bad := range []string{
		"", "http://", "ftp://h", "http://h:port", "http://%zz", ":8002", "a b", "ws://h:1:",
	} {
		if u, err := CapabilitiesURL(bad); err == nil {
			t.Errorf("CapabilitiesURL(%q) = %v, want an error", bad, u)
		}
	}
}

func TestShownAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"localhost:8002": "http://localhost:8002", "wss://ann:secret@h/a?key=secret#x": "https://h/a",
		"ftp://ann:secret@h": "",
	} {
		if got := ShownAddress(address); got != want {
			t.Errorf("ShownAddress(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestRoutes(t *testing.T) {
	for _, tt := range []struct{ capabilities, root, socket, turn string }{
		{"http://h:1", DefaultSocketRoot, "ws://h:1/bws/v1-alpha/game", "http://h:1/bws/v1-alpha/turn"},
		{"https://h/a/b", "bws/v1-alpha", "wss://h/a/b/bws/v1-alpha/game", "https://h/a/b/bws/v1-alpha/turn"},
		{"https://h/a/b", "../c/", "wss://h/a/c/game", "https://h/a/c/turn"},
		{"http://h/a", "/root", "ws://h/root/game", "http://h/root/turn"},
		{"http://h/a", "", "ws://h/a/game", "http://h/a/turn"},
		{"http://h/a", "?", "ws://h/a/game", "http://h/a/turn"},
		{"http://h/a", "/", "ws://h/game", "http://h/turn"},
		{"http://h/a", "//other:5/x", "ws://other:5/x/game", "http://other:5/x/turn"},
		{"http://h/a", "wss://other/x", "wss://other/x/game", "https://other/x/turn"},
		{"http://h/a", "x?y=1#z", "ws://h/a/x/game", "http://h/a/x/turn"},
		{"http://h/a", "with space", "ws://h/a/with%20space/game", "http://h/a/with%20space/turn"},
	} {
		base, err := CapabilitiesURL(tt.capabilities)
		if err != nil {
			t.Fatal(err)
		}
		if u, err := SocketURL(base, tt.root); err != nil || u.String() != tt.socket {
			t.Errorf("SocketURL(%s, %q) = %v, %v, want %s", base, tt.root, u, err, tt.socket)
		}
		if u, err := TurnURL(base, tt.root); err != nil || u.String() != tt.turn {
			t.Errorf("TurnURL(%s, %q) = %v, %v, want %s", base, tt.root, u, err, tt.turn)
		}
		for _, bad := range []string{"%zz", "file:///etc", "mailto:x", "http://", "//h:1:"} {
			if u, err := SocketURL(base, bad); err == nil {
				t.Errorf("SocketURL(%s, %q) = %v, want an error", base, bad, u)
			}
		}
	}
}

// FuzzAddresses checks that URLs made from any address and path can be dialled, and that
// the shown address holds no secrets.
func FuzzAddresses(f *testing.F) {
	for _, address := range []string{
		"localhost:8002", "wss://ann:secret@h/a?key=secret#x", "[::1]:9",
		"http://h/api/capabilities.json", "https://h/a/../%2e%2e/b", "ws://h//a//",
	} {
		for _, root := range []string{
			"", DefaultSocketRoot, "../c/", "//other:5/x", "wss://other/x", "x?y=1#z", "%zz", "?",
			"mailto:x", "with space", "//u:p@h",
		} {
			f.Add(address, root)
		}
	}
	f.Fuzz(func(t *testing.T, address, root string) {
		base, err := CapabilitiesURL(address)
		if err != nil {
			if shown := ShownAddress(address); shown != "" {
				t.Errorf("ShownAddress(%q) = %q for an invalid address: %v", address, shown, err)
			}
			return
		}
		dialled(t, base, "http", "https")
		if shown, err := url.Parse(ShownAddress(address)); err != nil || shown.User != nil ||
			shown.RawQuery != "" || shown.Host != base.Host {
			t.Errorf("ShownAddress(%q) = %v, %v", address, shown, err)
		}
		if again, err := CapabilitiesURL(base.String()); err != nil || again.String() != base.String() {
			t.Errorf("CapabilitiesURL(%q) = %s, applied again: %v, %v", address, base, again, err)
		}
		if u, err := SocketURL(base, root); err == nil {
			dialled(t, u, "ws", "wss")
		}
		if u, err := TurnURL(base, root); err == nil {
			dialled(t, u, "http", "https")
		}
	})
}

// dialled checks that a URL can be dialled and survives being parsed again.
func dialled(t *testing.T, u *url.URL, plain, safe string) {
	t.Helper()
	again, err := url.Parse(u.String())
	switch {
	case err != nil:
		t.Errorf("%q: %v", u, err)
	case u.Scheme != plain &&
		u.Scheme != safe, u.Hostname() == "", strings.ContainsAny(u.String(), "?#"):
		t.Errorf("%q is not a URL to dial", u)
	case again.Host != u.Host || again.Scheme != u.Scheme:
		t.Errorf("%q is read as %q", u, again)
	}
}
