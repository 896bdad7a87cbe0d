package cuptest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
)

// Write writes the folder of a cup, or that of a shard, with those of the rows that belong to it.
// The recordings of matches 12 and 13 are kept, as files that are no recordings.
func Write(t *testing.T, dir string, p *plan.Plan, s plan.Shard, rows []*results.Row) {
	t.Helper()
	var log []byte
	times := strings.Builder{}
	times.WriteString("k,started,ms,host,seat,bot,turns,skipped,p50_us,p99_us,max_us,exit,printed\n")
	for _, row := range rows {
		if s.Next(row.K, p.Stretch()) != row.K {
			continue
		}
		log = row.Append(log)
		for seat, kind := range row.Forfeits {
			exit, printed := "", ""
			if kind != "" {
				exit, printed = "exit status 1", fmt.Sprintf(`turn %d\nKeyError: %d`, row.K, row.K)
			}
			fmt.Fprintf(&times, "%d,2026-01-01T00:00:00.000Z,5,host,%d,bot,100,0,1,2,3,%s,%s\n", row.K,
				seat+1, exit, printed)
		}
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"plan.json": string(text) + "\n", "log.ndjson": string(log), "times.csv": times.String(),
		"bots/0/main.py": "print()\n",
	}
	for _, k := range []int{12, 13} {
		if s.Next(k, p.Stretch()) == k {
			files[fmt.Sprintf("matches/%d.hexarena", k)] = fmt.Sprint("match ", k)
		}
	}
	if s != plan.Whole {
		files["shard.json"] = fmt.Sprintf("{\"shard\":%d,\"of\":%d}\n", s.Number, s.Of)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
