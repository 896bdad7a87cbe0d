//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// sbatch stands in for Slurm's command: it runs the tasks of an array of jobs one after another.
const sbatch = `#!/bin/sh
range=$(sed -n 's/^#SBATCH --array=//p' "$1")
for task in $(seq "${range%-*}" "${range#*-}"); do
	SLURM_ARRAY_TASK_ID=$task sh "$1" || exit 1
done
`

// The script of docs/operator.md plays the shards of a cup as an array of jobs. They become the cup
// that one run plays.
func TestCupOnSlurm(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	text := readText(t, "../../docs/operator.md")
	_, script, _ := strings.Cut(text, "In Slurm that is an array of jobs:\n\n```sh\n")
	script, _, _ = strings.Cut(script, "```")
	_, line, _ := strings.Cut(script, "exec ")
	const long, short = "--count 100000", "--count 12 --turns 5 --maps pebble"
	if !strings.Contains(script, long) || !strings.Contains(line, " --shard ") {
		t.Fatalf("the script of the manual is\n%s", script)
	}
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "job.sh"), strings.Replace(script, long, short, 1))
	writeText(t, filepath.Join(dir, "sbatch"), sbatch)
	if err := os.Mkdir(filepath.Join(dir, "submissions"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hunter", "random", "painter"} {
		writeBot(t, filepath.Join(dir, "submissions"), name, "exec "+command(t).Path+" bot "+name+` --host "$BOT_HOST" --port "$BOT_PORT" --nickname "$BOT_NICKNAME" --seed "$BOT_SEED"`)
	}
	if err := os.Symlink(command(t).Path, filepath.Join(dir, "hexarena")); err != nil {
		t.Fatal(err)
	}
	whole, _, _ := strings.Cut(line, " --shard ")
	for _, words := range []string{
		"sh sbatch job.sh", strings.Replace(whole, long, short, 1) + " --out whole",
		"hexarena cup merge shards/*/ --out merged",
	} {
		cmd := exec.Command("sh", "-c", words)
		cmd.Dir, cmd.Env = dir, append(command(t).Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", words, err, out)
		}
	}
	logs := map[string]string{}
	for _, name := range []string{"whole", "merged"} {
		logs[name] = readText(t, filepath.Join(dir, name, "log.ndjson"))
	}
	if n := strings.Count(logs["whole"], "\n"); n != 12 || logs["merged"] != logs["whole"] {
		t.Errorf("the merged log is\n%s\nwant the %d lines of one run\n%s", logs["merged"], n,
			logs["whole"])
	}
}
