package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// third_party.txt has the licenses of all modules that the program consists of on any system, of
// Go, and of the packages in the page.
func TestLicensesAreComplete(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	servertest.Document(t, "third_party.txt", licenses(t))
}

func TestVersionPrintsLicenses(t *testing.T) {
	t.Parallel()
	out, err := command(t, "version", "--licenses").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"github.com/spf13/cobra ", "preact ", "uplot ", "uqr ", "@codemirror/view ",
		"Permission is hereby granted", "Copyright 2009 The Go Authors",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("version --licenses does not have %q", want)
		}
	}
	british, err := command(t, "version", "--licences").Output()
	if err != nil || !bytes.Equal(british, out) {
		t.Errorf("version --licences prints %d bytes, %v; want the %d bytes of --licenses", len(british),
			err, len(out))
	}
}

// legal matches the names of files with licenses and notices.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.txt|\.md)?$`)

// licenses returns the licenses; modules with the same text share it.
func licenses(t *testing.T) string {
	texts := map[string][]string{} // names by text
	for name, dir := range modules(t) {
		text := ""
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !legal.MatchString(file.Name()) {
				continue
			}
			data := readText(t, filepath.Join(dir, file.Name()))
			text += strings.TrimSpace(strings.ReplaceAll(data, "\r", "")) + "\n\n"
		}
		if text == "" {
			t.Errorf("%s has no license in %s", name, dir)
		}
		texts[text] = append(texts[text], name)
	}
	var list []string
	for text, names := range texts {
		slices.Sort(names)
		list = append(list, strings.Join(names, "\n")+"\n\n"+text)
	}
	slices.Sort(list)
	rule := strings.Repeat("=", 80) + "\n"
	return "hexarena contains these packages.\n\n" + rule + strings.Join(append(list, pageLicenses(t)),
		rule)
}

// modules returns the folders of the modules that the program consists of on all systems, and
// that of Go, by name and version.
func modules(t *testing.T) map[string]string {
	found := map[string]string{}
	list := func(environment []string, args ...string) {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Env = append(os.Environ(), environment...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %q: %v", args, err)
		}
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				found[name] = dir
			}
		}
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list([]string{"GOOS=" + system, "CGO_ENABLED=0"}, "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil || len(found) < 20 {
		t.Fatalf("%d modules, %v", len(slices.Collect(maps.Keys(found))), err)
	}
	found["The Go standard library and runtime"] = strings.TrimSpace(string(root))
	return found
}

// pageLicenses returns the comment with which the page's script begins. The script of a cup's page
// begins with one as well, and has no other packages.
func pageLicenses(t *testing.T) string {
	page, cup := notices(t, "app"), notices(t, "cup")
	named := regexp.MustCompile(`(?m)^\S+ \d+\.\d+\.\d+$`).FindAllString(cup, -1)
	if len(named) == 0 {
		t.Errorf("the script of a cup's page begins with %q, which names no package", cup)
	}
	for _, name := range named {
		if !strings.Contains(page, name+"\n") {
			t.Errorf("%s is in the page of a cup, and not in that of matches", name)
		}
	}
	return fmt.Sprintf("In the page:\n\n%s\n", page)
}

// notices returns the comment with which a script of the page begins.
func notices(t *testing.T, script string) string {
	files, err := filepath.Glob("../../server/web/dist/assets/" + script + "-*.js.gz")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	unpacked, err := gzip.NewReader(strings.NewReader(readText(t, files[0])))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(
		`(?s)^/\*! This page contains these packages\.\n\n(.*?)\n\*/`).FindSubmatch(text)
	if comment == nil {
		t.Fatalf("%s does not begin with the licenses of its packages", files[0])
	}
	return string(comment[1])
}
