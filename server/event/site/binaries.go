package site

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Binaries are programs that teams fetch from the pages, since an event may have no internet.
type Binaries struct {
	Dir     string // a folder with the program or release archive of each system; "": there is none
	Program string // the program that runs; "": it is not known
}

// Binary is the program for one system.
type Binary struct {
	System string // for people
	File   string // in addresses; "": it is missing
}

// archive reports whether the program has to be unpacked.
func (b *Binary) archive() bool {
	return strings.HasSuffix(b.File, ".zip") || strings.HasSuffix(b.File, ".gz")
}

// systems are those that hexarena is released for, as GOOS and GOARCH say them.
var systems = []struct{ name, os, arch string }{
	{"Linux", "linux", "amd64"},
	{"Linux on ARM", "linux", "arm64"},
	{"macOS", "darwin", "arm64"},
	{"macOS on Intel", "darwin", "amd64"},
	{"Windows", "windows", "amd64"},
	{"Windows on ARM", "windows", "arm64"},
}

// List returns the programs, an element for each system.
func (b *Binaries) List() (list []Binary) {
	files, _ := os.ReadDir(b.Dir) // of a folder that cannot be read, none
	for _, s := range systems {
		one := Binary{System: s.name}
		for _, f := range files {
			if name := strings.ToLower(f.Name()); f.Type().IsRegular() && strings.Contains(name, s.os) &&
				strings.Contains(name, s.arch) && program(name) {
				one.File = f.Name()
			}
		}
		if one.File == "" && b.Program != "" && s.os == runtime.GOOS && s.arch == runtime.GOARCH {
			one.File = ownFile
		}
		list = append(list, one)
	}
	return list
}

// downloadTime is the time that a program may take to arrive: one of 20 MB in a room of forty that
// share 20 Mbit/s takes six minutes.
const downloadTime = 10 * time.Minute

// ownFile is the program that runs, in addresses.
const ownFile = "hexarena"

// program reports whether a file may be a program or the archive of one: releases have lists and
// sums beside them.
func program(name string) bool {
	switch ext := filepath.Ext(name); ext {
	case ".json", ".sha256", ".txt", ".whl", ".sig", ".pem":
		return false
	}
	return true
}

// Send answers with a file of List.
func (b *Binaries) Send(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	for _, one := range b.List() {
		switch {
		case one.File != name || name == "":
			continue
		case name == ownFile:
			name = b.Program
		default:
			name = filepath.Join(b.Dir, name)
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="`+one.File+`"`)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(downloadTime))
		http.ServeFile(w, r, name)
		return
	}
	answer(
		w, http.StatusNotFound, nil,
		fmt.Errorf("there is no program %.60q here: start the event with --binaries DIR, a folder "+
			"with those of a release, or put them into the folder binaries beside hexarena", name),
	)
}
