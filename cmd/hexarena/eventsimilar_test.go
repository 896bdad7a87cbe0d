package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A copy with other names, comments and formats is listed with its lines; bots that are the starter
// are not.
func TestEventSimilar(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "event")
	e := startEvent(t, dir, "--rounds", "operator")
	tokens := e.signUp("Ann", "Bob", "Carl", "Dora")
	const own = `
function nearest(cells, me) {
  let best = null; // the nearest one so far
  for (const cell of cells) {
    const d = Math.abs(cell.q - me.q) + Math.abs(cell.r - me.r);
    if (best === null || d < best.d || (d === best.d && cell.q < best.q)) best = { d, q: cell.q };
  }
  while (best !== null && best.d > 3) best.d -= best.q % 2 === 0 ? 1 : 2;
  return best === null ? [] : [best.q, best.d * 2 + 1];
}
`
	renamed := strings.NewReplacer("nearest", "zoek", "cells", "lijst", "cell", "vak", "best", "beste",
		"me", "ik", "  ", "\t", "// the nearest one so far", "/* niets */").Replace(own)
	for i, text := range []string{
		own, "", renamed, "\nfunction never() { return 3; }\n",
	} {
		if _, why := e.upload(tokens[i], "my_bot.js", starterScript()+text); why != "" {
			t.Fatal(why)
		}
	}
	out, err := command(t, "event", "similar", dir).CombinedOutput()
	if text := string(out); err != nil || !strings.Contains(text, "4 versions compared: 1 pair is") ||
		!strings.Contains(text, "Ann (my_bot.js, ") || !strings.Contains(text, "and Carl (my_bot.js, ") ||
		!strings.Contains(text, "const cell of cells") {
		t.Errorf("%v\n%s", err, text)
	}
	e.quit()
	out, err = command(t, "event", "similar", t.TempDir()).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "there is no event") {
		t.Errorf("%v\n%s", err, out)
	}
}
