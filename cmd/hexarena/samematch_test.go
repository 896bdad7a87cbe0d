package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// wanderer is a bot that draws its moves.
const wanderer = `const { run } = require("./hexarena.js");
const directions = ["x+", "y+", "z+", "x-", "y-", "z-"];
run(class {
  constructor(match) { this.match = match; }
  turn({ characters }) {
    const mine = characters.filter(({ color, alive }) => alive && color === this.match.playerId + 1);
    const draw = () => directions[Math.floor(this.match.random() * directions.length)];
    return mine.map(({ id }) => ({ id, movement: "move", direction: draw() }));
  }
});
`

// Bots in JavaScript play the same match from the same seed, whether Node runs them or hexarena
// itself.
func TestSameMatchInNode(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	if _, err := exec.LookPath("node"); err != nil {
		thorough.Lack(t, err)
	}
	dir := t.TempDir()
	if out, err := commandIn(t, dir, "new", "my_bot.js").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	writeText(t, filepath.Join(dir, "wanderer.js"), wanderer)
	maps := []string{"lagoon", "clover", "garden"}
	for seed := range 100 {
		digests := map[string]bool{}
		for _, js := range []string{"node", "builtin"} {
			var report struct {
				Digest string `json:"state_digest"`
			}
			cmd := commandIn(t, dir, "play", "my_bot.js", "wanderer.js", "painter", "--js", js,
				"--seed", strconv.Itoa(seed), "--order", "seeded", "--map", maps[seed%len(maps)],
				"--turns", "60", "--http=", "--record=", "--json")
			out, err := cmd.Output()
			if err == nil {
				err = json.Unmarshal(out, &report)
			}
			if err != nil {
				t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
			}
			digests[report.Digest] = true
		}
		if len(digests) != 1 {
			t.Errorf("seed %d: the last states are %v", seed, digests)
		}
	}
}
