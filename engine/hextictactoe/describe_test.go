package hextictactoe

import "testing"

func TestDescribe(t *testing.T) {
	g := &Game{}
	for action, want := range map[string]string{
		`{"pieces":[{"q":0,"r":0}]}`:                "a piece at 0,0",
		`{"pieces":[{"q":1,"r":-2},{"q":3,"r":0}]}`: "a piece at 1,-2 and at 3,0",
		`{"pieces":[]}`:                             "",
		`{"pieces":[{"q":1}]}`:                      "",
		`null`:                                      "",
		`{"pieces":`:                                "",
	} {
		if got := g.Describe([]byte(action)); got != want {
			t.Errorf("Describe(%s) = %q, want %q", action, got, want)
		}
	}
}
