package jsonscan

import "testing"

func TestAt(t *testing.T) {
	const text = `{"board":{"cells":[{"q":1},{"q":2}],"":7},"a/b":3,"m~n":4,"twice":1,"twice":2}`
	tests := map[string]string{
		"":                 text,
		"/board/cells/1/q": "2",
		"/board/":          "7",
		"/a~1b":            "3",
		"/m~0n":            "4",
		"/twice":           "2",
		"/board/cells/2":   "",
		"/board/cells/-1":  "",
		"/board/cells/q":   "",
		"/twice/0":         "",
		"/nothing/at/all":  "",
	}
	for pointer, want := range tests {
		if got := Value(text).At(pointer); string(got) != want {
			t.Errorf("At(%q) = %s, want %s", pointer, got, want)
		}
	}
}
