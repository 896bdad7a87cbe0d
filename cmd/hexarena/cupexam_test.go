package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// writeText writes a file.
func writeText(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runCup runs a cup in the current folder, and returns its exit code and what it printed.
func runCup(line ...string) (code int, stdout, stderr string) {
	return hexarena(append([]string{"cup"}, line...)...)
}

// The exam of docs/cups.md is the one in docs/examples, and a good bot passes it.
func TestExamOfDocs(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	doc := readText(t, "../../docs/cups.md")
	file, err := filepath.Abs("../../docs/examples/course.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := readText(t, file)
	if !strings.Contains(doc, "\n```yaml\n"+text+"```\n") {
		t.Error("docs/cups.md does not show docs/examples/course.yaml")
	}
	out := t.TempDir()
	for bot, want := range map[string]int{"random": exitExamFailed, "painter": 0} {
		if code, stdout, stderr := runCup(bot, "--exam", file, "--out", out); code != want {
			t.Errorf("%s: exit code %d\n%s\n%s", bot, code, stdout, stderr)
		}
	}
}

// An exam says which marks are reached, and goes on where it was stopped. All who take it have the
// same seeds, maps and places.
func TestExam(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	writeText(t, "course/exam.yaml",
		"turns: 8\nmaps: [pebble, clover]\nseeds: [7, 1-2]\nmarks:\n  random: 50%\n  hunter: 100%\n")
	seeds := regexp.MustCompile(`"seed":\d+,"map":"[a-z]+"`)
	var logs []string
	for _, bot := range []string{"hunter", "painter"} {
		code, stdout, stderr := runCup(bot, "--exam", "course/exam.yaml", "--out", bot)
		if code != exitExamFailed || !strings.Contains(stderr, "\nexamined in ") || !strings.Contains(stdout, "not reached") || !strings.Contains(stdout, "does not reach 1 of 2 marks") {
			t.Errorf("%s: exit code %d\n%s\n%s", bot, code, stdout, stderr)
		}
		files, err := filepath.Glob(bot + "/exam-*/log.ndjson")
		if err != nil || len(files) != 1 {
			t.Fatalf("%q, %v", files, err)
		}
		log := readText(t, files[0])
		logs = append(logs, strings.Join(seeds.FindAllString(log, -1), "\n"))
	}
	if n := strings.Count(logs[0], `"seed":7,`); logs[0] != logs[1] || n != 8 {
		t.Errorf("two bots play\n%s\nand\n%s, with the seed 7 in %d matches, want 8", logs[0], logs[1], n)
	}
	if _, _, stderr := runCup("hunter", "--exam", "course/exam.yaml", "--out", "hunter"); !strings.Contains(stderr, "this cup is over") {
		t.Errorf("the same command says\n%s", stderr)
	}
	code, stdout, _ := runCup("hunter", "random", "--exam", "course/exam.yaml", "--csv")
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || code != exitExamFailed || len(rows) != 3 || rows[2][0] != "random" ||
		rows[2][1] != "false" {
		t.Errorf("exit code %d, %v\n%s", code, err, stdout)
	}
}

// Mistakes in an exam name the key, the value and what is wanted, and nothing is written.
func TestExamMistakes(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	const good = "maps: pebble\nseeds: 1-3\nmarks: {random: 60%}\n"
	for _, tt := range []struct{ text, line, says string }{
		{"maps: pebble\nseeds: 1\n", "", `marks (file exam.yaml): is missing; want for example marks: {random: 90%, painter: 50%}`},
		{
			"seeds: 1\nmarks: [random, hunter]\n", "",
			`marks = "random, hunter" (file exam.yaml:2): has no percentages; want for example`,
		},
		{"marks: {random: 60%}\n", "", `seeds (file exam.yaml): is missing`},
		{good + "seats: 3\n", "", `seats = "3" (file exam.yaml:4): does not fit 1 mark; want 2 to 2`},
		{good + "seats: many\n", "", `seats = "many" (file exam.yaml:4): want a whole number`},
		{"seeds: 9-3\nmarks: {random: 60%}\n", "", `seeds = "9-3" (file exam.yaml:1): is no seed`},
		{"seeds: [1, 2, x]\nmarks: {random: 60%}\n", "", `seeds = "x" (file exam.yaml:1)`},
		{"seeds: 1\nmarks: {random: 60}\n", "", `marks = "random: 60" (file exam.yaml:2): "60" is no mark`},
		{"seeds: 1\nmarks: {nowhere.py: 60%}\n", "", `nowhere.py`},
		{"seeds: 1\nmarks: {random: [1, 2]}\n", "", `marks (file exam.yaml:2): is empty or nested; want`},
		{"seeds:\nmarks: {random: 60%}\n", "", `seeds (file exam.yaml:1): has no value`},
		{good + "turns: -1\n", "", `turns = "-1" (file exam.yaml:4)`},
		{good + "mark: 60%\n", "", `mark = "60%" (file exam.yaml:4): unknown setting; the nearest is marks`},
		{good + "maps: lagoon\n", "", `is given a second time, first in line 1`},
		{good, "--turns 5", `--turns: exam.yaml says what is played`},
		{good, "--format swiss", `--format: exam.yaml says what is played`},
		{good, "--plan exam.yaml", `exclude each other`},
		{"nonsense", "", `want a mapping`},
	} {
		writeText(t, "exam.yaml", tt.text)
		code, _, stderr := runCup(
			append([]string{"hunter", "--exam", "exam.yaml"}, strings.Fields(tt.line)...)...)
		if code != exitUsage || !strings.Contains(stderr, tt.says) {
			t.Errorf("%q %s: exit code %d, %s\nwant %q", tt.text, tt.line, code, stderr, tt.says)
		}
	}
	for _, line := range []string{
		"hunter --exam missing.yaml", "missing.py --exam exam.yaml", "missing.zip --exam exam.yaml",
		"--exam exam.yaml",
	} {
		writeText(t, "exam.yaml", good)
		if code, _, stderr := runCup(strings.Fields(line)...); code != exitUsage ||
			!strings.Contains(stderr, "missing") {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
	if _, err := os.Stat("cups"); err == nil {
		t.Error("a mistake makes a folder")
	}
}

// A plan in a file is the cup that the command line says, and flags replace it.
func TestCupOfPlan(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	writeText(t, "league/plan.yaml", "bots: [random, painter, hunter]\nformat: round-robin\ncount: "+
		"12\nseats: 2\nmaps: [pebble, clover]\nturns: 5\nseed: 3\n")
	for i, line := range []string{
		"--plan league/plan.yaml",
		"random painter hunter --format round-robin --count 12 --seats 2 --maps pebble,clover --turns " +
			"5 --seed 3",
		"--plan league/plan.yaml --count 6",
	} {
		want := []string{"begins in cups", "this cup is over", "begins in cups"}[i]
		if code, stdout, stderr := runCup(strings.Fields(line)...); code != 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, want %q\n%s\n%s", line, code, want, stdout, stderr)
		}
	}
	for text, want := range map[string]string{
		"count: 5\n":                          "bots (file plan.yaml): is missing",
		"bots: [random, painter]\ncount: x\n": `count = "x" (file plan.yaml:2): want a whole number`,
		"bots: [random, painter]\nelo1: x\n":  `elo1 = "x" (file plan.yaml:2): want a number`,
		"bots: [random, painter]\nformat: {a: b}\n": "format = \"\" (file plan.yaml:2): has names " +
			"and values",
		"bots: [random, painter]\nbotts: [a]\n":            "the nearest is bots",
		"bots: [random, painter, hunter]\nformat: chess\n": `format "chess": want one of sprt`,
	} {
		writeText(t, "plan.yaml", text)
		if code, _, stderr := runCup("--plan", "plan.yaml"); code != exitUsage ||
			!strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, %s\nwant %q", text, code, stderr, want)
		}
	}
	writeText(t, "plan.yaml", "bots: [random, painter]\n")
	if code, _, stderr := runCup("hunter", "--plan", "plan.yaml"); code != exitUsage ||
		!strings.Contains(stderr, "leave those of the command line out: hunter") {
		t.Errorf("bots twice: exit code %d, %s", code, stderr)
	}
}
