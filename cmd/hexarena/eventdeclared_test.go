package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What teams declare when they sign up is in the operator's table and in exports, and nowhere else.
func TestEventAsks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "event")
	e := startEvent(t, dir, "--rounds", "operator", "--ask-publication", "--ask-ai")
	if page := e.get("/join"); !strings.Contains(page, `name="ai"`) ||
		!strings.Contains(page, `name="publish"`) {
		t.Errorf("the page to join does not ask:\n%s", page)
	}
	code := e.code()
	join := func(name, ai string, publish bool) (answer map[string]any, status int) {
		form := map[string]any{"name": name, "code": code, "ai": ai, "publish": publish}
		return e.post("/join", "", form)
	}
	for _, wrong := range []string{"", " \n", strings.Repeat("x", 201)} {
		if answer, status := join("Ann", wrong, true); status != http.StatusConflict {
			t.Errorf("with the declaration %q: %v", wrong, answer)
		}
	}
	for name, ai := range map[string]string{"Ann": "wrote  the search,\nand tests", "Bob": "none"} {
		if answer, status := join(name, ai, name == "Ann"); status != http.StatusOK {
			t.Errorf("%s cannot join: %v", name, answer)
		}
	}
	const said = "wrote the search, and tests"
	table, _ := e.fetch(http.MethodGet, "/admin/standings.csv", e.admin, "")
	if !strings.Contains(string(table), `yes,"`+said+`"`) ||
		!strings.Contains(string(table), "no,none") {
		t.Errorf("the operator's table is\n%s", table)
	}
	public := []string{"/event/standings", "/event/standings.csv", "/standings", "/team/1"}
	for _, path := range public {
		if strings.Contains(e.get(path), "wrote the") {
			t.Errorf("%s shows what a team has declared", path)
		}
	}
	e.quit()
	site := filepath.Join(t.TempDir(), "site")
	if out, err := command(t, "cup", "export", dir, "--out", site).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"standings.csv", "standings.json"} {
		if text, err := os.ReadFile(filepath.Join(site, name)); !strings.Contains(string(text), said) {
			t.Errorf("%s, %v, is\n%s", name, err, text)
		}
	}
}
