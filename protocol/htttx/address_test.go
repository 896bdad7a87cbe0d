package htttx

import "testing"

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
	} {
		u, err := CapabilitiesURL(tt.address)
		if err != nil || u.String() != tt.capabilities {
			t.Errorf("CapabilitiesURL(%q) = %v, %v, want %s", tt.address, u, err, tt.capabilities)
		}
	}
	for _, bad := range []string{"", "http://", "ftp://h", "http://h:port", "http://%zz", ":8002", "a b"} {
		if u, err := CapabilitiesURL(bad); err == nil {
			t.Errorf("CapabilitiesURL(%q) = %v, want an error", bad, u)
		}
	}
}

func TestShownAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"localhost:8002": "http://localhost:8002", "wss://ann:secret@h/a?key=secret#x": "https://h/a", "ftp://ann:secret@h": "",
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
		for _, bad := range []string{"%zz", "file:///etc", "mailto:x", "http://"} {
			if u, err := SocketURL(base, bad); err == nil {
				t.Errorf("SocketURL(%s, %q) = %v, want an error", base, bad, u)
			}
		}
	}
}
