//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that no system starts is refused by its name, also if its mode says that it can be run.
func TestUnknownFiles(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		text    string
		program bool
	}{
		"bot.txt": {"my bot", false}, "bot.ipynb": {`{"cells": []}`, false},
		"Bot.class": {"\xca\xfe\xba\xbe\x00", false}, "bot.rar": {"Rar!", false}, "bot.dat": {"", false},
		"bot.sh": {"#!/bin/sh\n", true}, "bot.out": {"\x7fELF\x02", true}, "bot": {"", true},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tt.text), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := new(Finder).Find(t.Context(), path); (err == nil) != tt.program || err != nil && !strings.Contains(err.Error(), name+" is no program: hexarena runs sources with the extensions ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
