package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns the Markdown files of the repository by their paths from its root.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		if e.IsDir() && (name == "node_modules" || strings.HasPrefix(name, ".g")) {
			return fs.SkipDir
		}
		if e.IsDir() || filepath.Ext(name) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		texts[filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../")))] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Links of documents lead to files and headings that exist.
func TestDocumentsLink(t *testing.T) {
	texts := documents(t)
	for path, text := range texts {
		for _, m := range regexp.MustCompile(`\]\(([^)\s:]+)\)`).FindAllStringSubmatch(text, -1) {
			file, heading, _ := strings.Cut(m[1], "#")
			target := path
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(path), file))
			}
			if _, err := os.Stat(filepath.Join("../..", target)); err != nil {
				t.Errorf("%s leads to %s: %v", path, m[1], err)
			} else if heading != "" && !slices.Contains(headings(texts[target]), heading) {
				t.Errorf("%s leads to %s, which has no such heading", path, m[1])
			}
		}
	}
}

// headings returns the headings of a document as its links name them.
func headings(text string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// Commands that documents show on lines of their own exist, with their flags.
func TestDocumentsShowCommands(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^ {4,}(?:\./)?hexarena (.*)$`)
	count := 0
	for path, text := range documents(t) {
		for _, m := range shown.FindAllStringSubmatch(text, -1) {
			count++
			if strings.Contains(m[1], "--game claim") {
				continue // the example of add-a-game.md is in no program
			}
			if fault := commandFault(m[1]); fault != "" {
				t.Errorf("%s: hexarena %s: %s", path, m[1], fault)
			}
		}
	}
	if count < 100 {
		t.Errorf("documents show %d commands, want 100 or more", count)
	}
	for _, wrong := range []string{"paly", "play --opne", "cup show --marks=1 # --json"} {
		if commandFault(wrong) == "" {
			t.Errorf("hexarena %s has no fault", wrong)
		}
	}
}

// commandFault returns what a command line has that hexarena does not know, or nothing.
func commandFault(line string) string {
	line = regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(line, "x")
	line, _, _ = strings.Cut(line, " #")
	words := strings.Fields(line)
	cmd, _, err := newRoot().Find(words)
	if err != nil || !cmd.HasParent() {
		return "there is no such command"
	}
	cmd.InitDefaultHelpFlag()
	known := func(name string) bool {
		return cmd.Flags().Lookup(name) != nil || cmd.InheritedFlags().Lookup(name) != nil
	}
	for _, word := range words {
		if word == "--" || word == "|" || word == ">" {
			break // what follows is for another program
		}
		name, isLong := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if isLong && !known(name) {
			return "there is no flag --" + name
		}
	}
	return ""
}
