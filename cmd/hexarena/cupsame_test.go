package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Two versions with the same files are not compared, unless a number of matches is given.
func TestCupOfTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	writeText(t, "a/main.py", "print()\n")
	writeText(t, "b/main.py", "print()\n")
	writeText(t, "my bots/main.py", "print()\n")
	for line, want := range map[string]struct {
		code int
		says string
	}{
		"a,b":                                 {exitNotBetter, "a and b have the same files"},
		"a,my bots":                           {exitNotBetter, "a and my bots have the same files"},
		"a,b,--with,painter":                  {exitNotBetter, "a and b have the same files"},
		"painter,painter":                     {exitNotBetter, "painter#2 have the same files"},
		"painter,painter,painter,--until,95%": {exitUsage, "all bots have the same files"},
		"painter,painter,--turns,3,--count,2,--maps,pebble": {exitUndecided, "begins in cups"},
	} {
		code, stdout, stderr := runCup(strings.Split(line, ",")...)
		if code != want.code || !strings.Contains(stderr, want.says) {
			t.Errorf("%s: exit code %d\n%s\n%s, want %q", line, code, stdout, stderr, want.says)
		}
	}
	if entries, err := os.ReadDir("cups"); err != nil || len(entries) != 1 {
		t.Errorf("the cups are %v, %v, want one", entries, err)
	}
}

// A cup that goes on until it is certain who is best says who is, as text and as JSON.
func TestCupUntil(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	line := strings.Fields("random painter random --until 95% --turns 15 --maps clover --seed 3")
	code, stdout, stderr := runCup(line...)
	if code != 0 || !strings.HasPrefix(stdout, "painter is the best, with a certainty of 95 %.\n") {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	_, stdout, _ = hexarena("cup", "show", "--json")
	var table struct {
		Until struct {
			Confidence float64
			Best       []string
			Certain    bool
		}
	}
	if err := json.Unmarshal([]byte(stdout), &table); err != nil || !table.Until.Certain ||
		len(table.Until.Best) != 1 || table.Until.Confidence != 0.95 {
		t.Errorf("%v: %+v\n%s", err, table, stdout)
	}
}
