//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// hostileScript returns a bot that behaves in its test match, which has ten turns. In later
// turns of a match it attacks first.
func hostileScript(attack string) string {
	return `const { run } = require("./hexarena.js");
let turns = 0;
run(class {
  turn(state) {
    if (++turns <= 10) return [];
    ` + attack + `
    return [];
  }
});
`
}

// hostileScripts are attacks. A version rests after three matches that it did not hold out, with a
// reason that has these words; one without them holds out, and is the worse for it alone.
var hostileScripts = []struct{ name, attack, reason string }{
	{"loop", `for (;;) ;`, "it ceased to answer in time; it printed: "},
	{"memory", takesMemory, "uses more than 64 MiB of memory"},
	{"nested", `
    let deep = [1];
    for (let i = 0; i < 28; i++) deep = [deep, deep];
    console.log(deep, String(deep), JSON.stringify(deep));`, ""},
	{"expression", `
    /^(a+)+$/.test("a".repeat(5000) + "b");
    /^(?=(a+)+$)a/.test("a".repeat(40) + "b");`, ""},
	{"prints", `for (let i = 0; i < 1024; i++) console.log("x".repeat(1 << 20));`, ""},
	{"prototypes", `
    for (const one of [Object, Array, String, Number, Promise, Map, Set, RegExp, Function]) {
      for (const key of Object.getOwnPropertyNames(one.prototype)) {
        try { one.prototype[key] = () => { throw new Error("planted"); }; } catch {}
      }
    }`, "it ended with an error"},
	{"promises", `
    const again = () => Promise.resolve().then(again);
    again();
    return new Promise(() => {});`, "in the last one it "},
	{"timers", `
    for (let i = 0; i < 1e6; i++) setTimeout(() => { for (let j = 0; j < 1000; j++); }, 0);`, ""},
	{"recursion", `const deeper = (n) => deeper(n + 1) + 1; deeper(0);`, "it ended with an error"},
	{"huge", `return [{ x: "x".repeat(30 << 20) }];`, "in the last one it "},
	{"late", `return new Promise((answer) => setTimeout(() => answer([]), 1500));`, ""},
	{
		"uninterrupted", `Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);`,
		"in a function that cannot be interrupted",
	},
	{"throws", `throw new Error("planted");`, "Error: planted"},
}

// startHostile starts an event with matches of four, which end after the attacks have begun.
func startHostile(t *testing.T) *runningEvent {
	return startUnisolated(t, "--rounds", "operator", "--map", "garden", "--seats", "4",
		"--turns", "18", "--turn-timeout", "1s")
}

// takesMemory is an attack.
const takesMemory = `for (const all = []; ; ) all.push("x".repeat(1 << 18) + all.length);`

// checkHonest fails the test if a team other than some lost anything in a match: a turn, or its
// seat.
func (e *runningEvent) checkHonest(k int, attack string, hostile ...string) {
	e.t.Helper()
	recording := filepath.Join(e.dir, "matches", fmt.Sprint(k, ".hexarena"))
	out, err := command(e.t, "replay", "show", recording, "--json").Output()
	var match struct {
		Turns int
		Seats []struct {
			Label, Status   string
			Skipped, Missed int
		}
	}
	if err == nil {
		err = json.Unmarshal(out, &match)
	}
	if err != nil || len(match.Seats) != 4 {
		e.t.Fatalf("%s: %v\n%s", attack, err, out)
	}
	for _, s := range match.Seats {
		if !slices.Contains(hostile, s.Label) && (s.Skipped+s.Missed > 0 || s.Status != "ok") {
			e.t.Errorf("%s costs %s something: %+v", attack, s.Label, match)
		}
	}
}

// Each hostile version plays beside honest ones, which lose nothing by it. It rests after three
// matches that it did not hold out, and its team is told why.
func TestEventHostileScripts(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startHostile(t)
	tokens := e.signUp("Ann", "Bob", "Cid", "Eve")
	for _, token := range tokens[:3] {
		e.tried(token, "my_bot.js", starterScript())
	}
	for _, one := range hostileScripts {
		v := e.tried(tokens[3], one.name+".js", hostileScript(one.attack))
		if v.State != "plays" {
			t.Errorf("%s: before its first round it is %+v", one.name, v)
			continue
		}
		matches := 1
		if one.reason != "" {
			matches = 3
		}
		for range matches {
			e.awaitReady(4)
			e.playRound()
			e.checkHonest(e.rows()-1, one.name, "Eve")
		}
		for v.Matches < matches || v.State == "rests" && !strings.Contains(v.Reason, "in the last one") {
			runtime.Gosched()
			v = e.version(tokens[3], v.Version)
		}
		// On a busy machine, time may end before memory does.
		hung := one.name == "memory" && strings.Contains(v.Reason, "ceased to answer in time")
		named := (strings.Contains(v.Reason, one.reason) || hung) && !strings.Contains(v.Reason, e.dir)
		if rests := v.State == "rests"; !named || rests != (one.reason != "") {
			t.Errorf("%s: the team is told %+v, want %q", one.name, v, one.reason)
		}
	}
	e.quit()
}

// Two versions that take all memory, among eight that play at once, cost the six others nothing.
func TestEventHostileMemory(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startHostile(t)
	hogs := []string{"Eve", "Mallory"}
	tokens := e.signUp("Ann", "Bob", "Cid", "Dan", "Fay", "Gus", "Eve", "Mallory")
	for i, token := range tokens {
		script := starterScript()
		if i >= 6 {
			script = hostileScript(takesMemory)
		}
		if v := e.tried(token, "my_bot.js", script); v.State != "plays" {
			t.Fatalf("team %d has %+v", i, v)
		}
	}
	e.awaitReady(8)
	for round := range 3 {
		e.typeLines("round")
		e.awaitRows(2*round + 2)
		e.checkHonest(2*round, "memory", hogs...)
		e.checkHonest(2*round+1, "memory", hogs...)
	}
	e.awaitReady(6)
	for _, token := range tokens[6:] {
		if list, _ := e.versions(token); list[0].State != "rests" {
			t.Errorf("a version that takes all memory is %+v", list[0])
		}
	}
	e.quit()
}
