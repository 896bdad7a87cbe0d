package main

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"

	"github.com/hexarena/hexarena/server/match"
)

// The digest of a recorded loss names the turn at which the lead changed for good: the one that the
// exported scores show.
func TestDigestNamesTheTurnOfTheLead(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	dir, lost := t.TempDir(), 0
	named := regexp.MustCompile(`(?m)^The lead changed for good in (turn \d+|the start): (\S+) led`)
	for seed := 0; lost < 20; seed++ {
		if seed == 60 {
			t.Fatalf("of %d matches, random lost %d; want 20", seed, lost)
		}
		folder := filepath.Join(dir, strconv.Itoa(seed))
		run := func(args ...string) string {
			out, err := commandIn(t, dir, args...).Output()
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			return string(out)
		}
		run("play", "painter", "random", "--map", "pebble", "--turns", "25", "--http=", "--seed",
			strconv.Itoa(seed), "--record", folder)
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("the recordings are %v, %v", files, err)
		}
		step, leader := leadChange(t, run("replay", "export", files[0], "--format", "csv"))
		if leader == "random" || leader == "" {
			continue
		}
		lost++
		want := fmt.Sprint([]string{match.NameTurn(match.AnsweredIn(step)), leader})
		found := named.FindStringSubmatch(run("replay", "digest", files[0], "--for", "random"))
		if len(found) == 0 || fmt.Sprint(found[1:]) != want {
			t.Errorf("seed %d: the digest says %q, want %s", seed, found, want)
		}
	}
}

// leadChange returns from which step on the player with the highest score at the end has had it
// alone, by the lines step,turn,player,name,score,… of an export.
func leadChange(t *testing.T, export string) (step int, leader string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(export)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]map[string]int{}
	for _, row := range rows[1:] {
		if scores[row[0]] == nil {
			scores[row[0]] = map[string]int{}
		}
		if scores[row[0]][row[3]], err = strconv.Atoi(row[4]); err != nil {
			t.Fatal(err)
		}
	}
	for n := range len(scores) {
		first, tied := "", false
		for name, score := range scores[strconv.Itoa(n)] {
			switch best := scores[strconv.Itoa(n)][first]; {
			case first == "" || score > best:
				first, tied = name, false
			case score == best:
				tied = true
			}
		}
		if tied {
			first = ""
		}
		if first != leader {
			step, leader = n, first
		}
	}
	return step, leader
}
