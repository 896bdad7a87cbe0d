package hexabomb

import "testing"

func TestDescribe(t *testing.T) {
	g := &Game{edition: &current}
	for action, want := range map[string]string{
		`{"id":3,"movement":"move","direction":"x+"}`: "character 3 moves x+",
		`{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":4}`: "character 0 drops a bomb, " +
			"range 2, delay 4",
		`{"id":1,"movement":"revive","revive_q":-1,"revive_r":2}`: "character 1 revives at -1,2",
		`{"id":1,"movement":"revive"}`:                            "character 1 revives",
		`{"id":1,"movement":"bomb"}`:                              "",
		`{"id":1,"movement":"up"}`:                                "",
		`[1]`:                                                     "",
		`{"id":`:                                                  "",
	} {
		if got := g.Describe([]byte(action)); got != want {
			t.Errorf("Describe(%s) = %q, want %q", action, got, want)
		}
	}
}
