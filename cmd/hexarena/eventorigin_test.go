package main

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// Each table of an event says which program began it, and how, also when the event goes on by
// another command, and the plan with the teams that there are.
func TestEventOrigin(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	dir := filepath.Join(t.TempDir(), "event")
	e := startEvent(t, dir, "--rounds", "operator", "--seats", "2", "--map", "pebble")
	e.signUp("Ann", "Bob")
	var told standings.Origin
	if err := json.Unmarshal([]byte(e.get("/event/standings")), &told); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := standings.Origin{
		Version: versionText(), Commit: commitText(), Plan: c.Plan.Digest().String(),
		Command: "hexarena event --turns 6 --map pebble --turn-timeout 5m --rounds operator " +
			"--pairing equal --seats 2",
	}
	if told != want {
		t.Errorf("/event/standings: %+v, want %+v", told, want)
	}
	shown, err := command(t, "cup", "show", dir, "--csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"/admin/standings.csv": e.text("/admin/standings.csv", e.admin), "cup show": string(shown),
	} {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%s: %d lines, %v", name, len(rows), err)
		}
		n := len(rows[0]) - len(standings.OriginHeader)
		if !slices.Equal(rows[0][n:], standings.OriginHeader) ||
			!slices.Equal(rows[2][n:], want.Fields()) {
			t.Errorf("%s: %q", name, rows)
		}
	}
	site := filepath.Join(t.TempDir(), "site")
	if out, err := command(t, "cup", "export", dir, "--out", site).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	page := readText(t, filepath.Join(site, "index.html"))
	for _, part := range []string{want.Version, html.EscapeString(want.Command), want.Plan} {
		if !strings.Contains(page, part) {
			t.Errorf("index.html does not have %q", part)
		}
	}
	e.quit()
	e = startEvent(t, dir, "--rounds", "ready", "--seats", "2")
	if err := json.Unmarshal([]byte(e.get("/event/standings")), &told); err != nil ||
		told.Command != want.Command {
		t.Errorf("later: %+v, %v", told, err)
	}
}
