package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const home = "https://github.com/hexarena/hexarena"

// source is the commit that is released.
type source struct {
	root      string
	version   string // as git describe has it
	pep440    string // the same as Python writes it
	commit    string
	time      time.Time // of all files, from SOURCE_DATE_EPOCH or the commit
	toolchain string    // the Go toolchain that compiles, such as go1.26.8

	readme           *readme
	license, notices []byte
	kits             []file
	module           []byte // hexarena_env.py, for Python
	page             []npmPackage
}

// file is an entry of an archive.
type file struct {
	name  string // with slashes
	mode  fs.FileMode
	data  []byte
	owner int // user, 0 for root; the group is 0; in ZIP files there is neither
}

// readSource reads everything that all systems have in common.
func readSource(ctx context.Context, root, version string) (*source, error) {
	s := &source{root: root, version: version}
	var err error
	if s.pep440, err = pep440(version); err != nil {
		return nil, err
	}
	if s.commit, err = s.output(ctx, root, "git", "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	if s.time, err = s.commitTime(ctx); err != nil {
		return nil, err
	}
	// Another version of Go would make other bytes. That of this module has the newest fixes, and go
	// downloads it if need be.
	dir := filepath.Join(root, "tools", "release")
	goVersion, err := s.output(ctx, dir, "go", "list", "-m", "-f", "{{.GoVersion}}")
	if err != nil {
		return nil, err
	}
	s.toolchain = "go" + goVersion
	readme, err1 := os.ReadFile(filepath.Join(root, "README.md"))
	license, err2 := os.ReadFile(filepath.Join(root, "LICENSE"))
	notices, err3 := os.ReadFile(filepath.Join(root, "cmd/hexarena/third_party.txt"))
	lock, err4 := os.ReadFile(filepath.Join(root, "server/web/page/package-lock.json"))
	module, err5 := os.ReadFile(filepath.Join(root, "bots/learn/hexarena_env.py"))
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	s.license, s.notices, s.module = license, notices, module
	if s.readme, err = readReadme(readme, s.commit); err != nil {
		return nil, err
	}
	if s.page, err = bundled(lock); err != nil {
		return nil, err
	}
	s.kits, err = s.readKits(ctx)
	return s, err
}

// commitTime returns SOURCE_DATE_EPOCH, which builders of distributions set, or else the time of
// the commit.
func (s *source) commitTime(ctx context.Context) (time.Time, error) {
	const variable = "SOURCE_DATE_EPOCH"
	seconds := os.Getenv(variable)
	if seconds == "" {
		var err error
		if seconds, err = s.output(ctx, s.root, "git", "log", "-1", "--format=%ct"); err != nil {
			return time.Time{}, err
		}
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s is %q: want seconds since 1970", variable, seconds)
	}
	return time.Unix(n, 0).UTC(), nil
}

// readKits returns the kits, as the program itself contains them: what package kits embeds.
func (s *source) readKits(ctx context.Context) ([]file, error) {
	const folder = "bots/kits"
	list, err := s.output(ctx, s.root, "go", "list", "-f", `{{join .EmbedFiles "\n"}}`, "./"+folder)
	if err != nil {
		return nil, err
	}
	var kits []file
	for _, name := range strings.Fields(list) {
		data, err := os.ReadFile(filepath.Join(s.root, folder, name))
		if err != nil {
			return nil, err
		}
		mode := fs.FileMode(0o644)
		if bytes.HasPrefix(data, []byte("#!")) {
			mode = 0o755
		}
		kits = append(kits, file{name: path.Join("kits", name), mode: mode, data: data})
	}
	if len(kits) == 0 {
		return nil, fmt.Errorf("package %s embeds no files", folder)
	}
	return kits, nil
}

// fileName returns the name of a file of the release.
func (s *source) fileName(rest string) string { return "hexarena-" + s.version + "-" + rest }

// output returns what a command prints, without the space around it.
func (s *source) output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err,
			bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}

// npmPackage is a package in the page's bundle.
type npmPackage struct {
	Name      string
	Version   string
	License   string
	Integrity string // sha512-, then base64
	Dev       bool
}

// bundled returns the packages in the page, those of package-lock.json that are not for development
// only, sorted by name.
func bundled(lock []byte) ([]npmPackage, error) {
	var content struct{ Packages map[string]npmPackage }
	if err := json.Unmarshal(lock, &content); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	var list []npmPackage
	for _, path := range slices.Sorted(maps.Keys(content.Packages)) {
		p := content.Packages[path]
		name, ok := strings.CutPrefix(path, "node_modules/")
		if ok && !p.Dev {
			p.Name = name
			list = append(list, p)
		}
	}
	return list, nil
}
