package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// target is a system that a program is built for.
type target struct{ os, arch string }

// wheelTags are the systems that releases are made for, with the platforms that Python knows them
// by. The programs need no C library, so that all of Linux will do; macOS 12 is the oldest that Go
// 1.26 supports.
var wheelTags = map[target][]string{
	{"linux", "amd64"}:   {"manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_1_x86_64"},
	{"linux", "arm64"}:   {"manylinux2014_aarch64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"},
	{"darwin", "amd64"}:  {"macosx_12_0_x86_64"},
	{"darwin", "arm64"}:  {"macosx_12_0_arm64"},
	{"windows", "amd64"}: {"win_amd64"},
	{"windows", "arm64"}: {"win_arm64"},
}

// allTargets returns these systems, separated by spaces.
func allTargets() string {
	var list []string
	for t := range wheelTags {
		list = append(list, t.String())
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func parseTargets(text string) ([]target, error) {
	var list []target
	for _, word := range strings.Fields(text) {
		system, arch, _ := strings.Cut(word, "/")
		t := target{system, arch}
		if wheelTags[t] == nil {
			return nil, fmt.Errorf("target %q is not one of %s", word, allTargets())
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no target: name some of %s", allTargets())
	}
	return list, nil
}

func (t target) String() string { return t.os + "/" + t.arch }

// name returns the system as it stands in the names of files.
func (t target) name() string { return t.os + "-" + t.arch }

// program is hexarena, built for one system.
type program struct {
	*source
	target target
	binary []byte
	info   *debug.BuildInfo
}

// maxProgram bounds a program in bytes: 45.4 MB for Windows, of which 10 run JavaScript and 1.7
// speak the Model Context Protocol, and little room. The engine calls methods by names that it
// computes, so the linker keeps all exported methods of all packages: a new package adds all that
// it has.
const maxProgram = 46_000_000

func checkSize(t target, size int) error {
	if size <= maxProgram {
		return nil
	}
	return fmt.Errorf("the program for %s has %.1f MB, at most %d are allowed: which new package "+
		"is large? go tool nm -size -sort size lists what a program contains", t, float64(size)/1e6, maxProgram/1_000_000)
}

// build compiles the program. Variables that change its bytes are set here, so that the user's do
// not.
func (s *source) build(ctx context.Context, t target) (*program, error) {
	dir, err := os.MkdirTemp("", "hexarena-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, t.executable())
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags",
		"-s -w -X main.version="+s.version, "-o", path, "./cmd/hexarena")
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0",
		"GOTOOLCHAIN="+s.toolchain,
		"GOAMD64=v1", "GOARM64=v8.0", // run on every processor
		"GOFLAGS=-mod=readonly", // an empty one would give way to that of go env -w
		"GOFIPS140=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build for %s: %w\n%s", t, err, out)
	}
	binary, err := os.ReadFile(path)
	if err == nil {
		err = checkSize(t, len(binary))
	}
	if err != nil {
		return nil, err
	}
	return s.program(t, binary)
}

// program returns a program that has been built.
func (s *source) program(t target, binary []byte) (*program, error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, err
	}
	return &program{s, t, binary, info}, nil
}

// executable returns the name of the program's file.
func (t target) executable() string {
	if t.os == "windows" {
		return "hexarena.exe"
	}
	return "hexarena"
}
