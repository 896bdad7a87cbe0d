package join

import "testing"

// An address keeps the path below which a proxy shows the page, and of a page's own path nothing.
func TestAddressBelowAPath(t *testing.T) {
	for text, want := range map[string]string{
		"arena.example":                             "http://arena.example/",
		"http://arena.example:4242/?match=7":        "http://arena.example:4242/",
		"https://school.example/arena":              "https://school.example/arena/",
		"https://school.example/arena/":             "https://school.example/arena/",
		"https://school.example/arena/team/Ann":     "https://school.example/arena/",
		"https://school.example/a/b/join":           "https://school.example/a/b/",
		"http://arena.example/team/L%C3%A9a#secret": "http://arena.example/",
		"http://arena.example/screen":               "http://arena.example/",
	} {
		at, err := ParseAddress(text)
		if err != nil || at.String() != want {
			t.Errorf("%s: %s, %v; want %s", text, at, err, want)
		}
		if got := at.path("/api/health", nil); got != want+"api/health" {
			t.Errorf("%s: its API is at %s", text, got)
		}
	}
}
