//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// tracesIn returns the files of a folder that have a text, in which runs of 32 bytes count, also
// where they are compressed.
func tracesIn(t *testing.T, dir string, texts ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // a file of the queue
		}
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		forms := [][]byte{raw, []byte(path)}
		if r, err := zstd.NewReader(nil); err == nil {
			plain, _ := r.DecodeAll(raw, nil)
			forms = append(forms, plain)
			r.Close()
		}
		if plain, err := s2.Decode(nil, raw); err == nil {
			forms = append(forms, plain)
		}
		for _, text := range texts {
			for _, form := range forms {
				if hasRun(form, text) {
					found = append(found, fmt.Sprintf("%s has %.20q", path, text))
					break
				}
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// hasRun reports whether a file has a text, or 32 bytes of it.
func hasRun(file []byte, text string) bool {
	const run = 32
	for i := 0; i == 0 || i+run <= len(text); i++ {
		if bytes.Contains(file, []byte(text[i:min(len(text), i+run)])) {
			return true
		}
	}
	return false
}

// Of a team that the operator of a running event forgets, nothing is left in the folder, in the
// queue and on a worker; the others keep their places, and rounds go on. The same holds for a
// stopped event, by the command.
func TestEventForgets(t *testing.T) {
	t.Parallel()
	const printed = "printed by the team that will be forgotten soon"
	const code = "// a comment of the team that will be forgotten, which is long enough to be found\n"
	dir := filepath.Join(t.TempDir(), "event")
	args := []string{
		"--rounds", "operator", "--map", "pebble", "--seats", "2", "--workers", "127.0.0.1:0",
	}
	e := startEvent(t, dir, args...)
	_, line, _ := strings.Cut(e.nextLine(), "hexarena worker ")
	names := []string{"Zanzibar Team", "Mauritius Team", "Ann", "Bob"}
	tokens := e.signUp(names...)
	for i, token := range tokens {
		own := "console.log('there is nothing to see');\n"
		if i < 2 {
			own = code + "console.log('" + printed + "');\n"
		}
		e.tried(token, "my_bot.js", own+starterScript())
	}
	worker, scratch := command(t, "worker", strings.Trim(line, "'"), "--jobs", "2"), t.TempDir()
	worker.Env = append(worker.Env, "TMPDIR="+scratch)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = worker.Process.Kill(); _ = worker.Wait() })
	e.awaitWorkers(1)
	shown := func() (matches int) {
		_, places := e.standings()
		for _, p := range places {
			matches += p.Matches
		}
		return matches / 2
	}
	play := func(matches int) {
		n, before := e.rows(), shown()
		e.typeLines("round")
		e.awaitRows(n + matches)
		for range time.Tick(5 * time.Millisecond) { // a row is in the log before it is shown
			if shown() >= before+matches {
				return
			}
		}
	}
	for range 3 {
		play(2)
	}
	others := func(e *runningEvent) (list []string) {
		_, places := e.standings()
		for _, p := range places {
			if p.Name == "Ann" || p.Name == "Bob" {
				list = append(list, fmt.Sprint(p.Name, p.Matches, p.Rating))
			}
		}
		return list
	}
	traces := []string{"Zanzibar", "ZanzibarTe", tokens[0]}
	if found := tracesIn(t, dir, "Zanzibar", code, printed); len(found) < 4 ||
		len(tracesIn(t, scratch, code)) == 0 {
		t.Fatalf("the test finds only %q", found)
	}
	before := others(e)
	e.typeLines("forget Zanzibar Team")
	for range time.Tick(5 * time.Millisecond) {
		if !strings.Contains(e.get("/standings"), "Zanzibar") {
			break
		}
	}
	if after := others(e); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the others are %v, were %v", after, before)
	}
	for range time.Tick(20 * time.Millisecond) { // until the worker has heard of it
		if len(tracesIn(t, dir, traces...))+len(tracesIn(t, scratch, "Zanzibar", code)) == 0 {
			break
		}
	}
	if _, status := e.fetch("GET", "/event/team", tokens[0], ""); status != 403 {
		t.Errorf("the token of a forgotten team gives the status %d", status)
	}
	play(1)
	play(1)
	before = others(e)
	e.quit()

	if out, err := command(t, "cup", "export", dir).CombinedOutput(); err != nil ||
		len(tracesIn(t, filepath.Join(dir, "site"), "Mauritius")) == 0 {
		t.Fatalf("export: %v\n%s", err, out)
	}
	class := filepath.Join(dir, "class.txt")
	writeText(t, class, "Ann\nMauritius Team\n")
	out, err := command(t, "event", "forget", "Mauritius Team", dir, "--json").Output()
	want := `{"team":2,"removed":["site"],"named":["class.txt"],"unsearched":[]}`
	if err != nil || strings.Join(strings.Fields(string(out)), "") != want {
		t.Fatalf("forget: %v\n%s", err, out)
	}
	if err := os.Remove(class); err != nil {
		t.Error(err)
	}
	traces = append(traces, "Mauritius", tokens[1], code, printed)
	if found := tracesIn(t, dir, traces...); len(found) > 0 {
		t.Errorf("this is left: %q", found)
	}
	e = startEvent(t, dir, args...)
	if after := others(e); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the others are %v, were %v", after, before)
	}
	play(1)
	out, err = command(t, "event", "forget", "Ann", dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another process") {
		t.Errorf("a running event is opened: %v\n%s", err, out)
	}
	e.quit()
}

// The addresses that teams signed up from are in the folder while the event runs, and not when it
// has ended.
func TestEventDropsAddresses(t *testing.T) {
	t.Parallel()
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	e.signUp("Ann", "Bob")
	acts := filepath.Join(e.dir, "acts", "log.ndjson")
	if text, err := os.ReadFile(acts); bytes.Count(text, []byte("127.0.0.1")) != 2 {
		t.Fatalf("the log is, %v,\n%s", err, text)
	}
	e.quit()
	text, err := os.ReadFile(acts)
	if bytes.Contains(text, []byte("127.0.0.1")) || bytes.Count(text, []byte(`"joined"`)) != 2 {
		t.Errorf("the log is, %v,\n%s", err, text)
	}
	if v := folded(t, e.dir); len(v.Standings) != 2 {
		t.Errorf("the event has %d teams", len(v.Standings))
	}
}
