//go:build linux

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

const zeros = "a line of 1 GiB"

// strange makes files that are not what their names say.
var strange = []struct {
	what string
	make func(path string) error
}{
	{"a link to /dev/zero", func(path string) error { return os.Symlink("/dev/zero", path) }},
	{"a named pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
	{zeros, func(path string) error { // that takes no room on the disk
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteAt([]byte("\n"), 1<<30)
		return err
	}},
}

// strangeAt are the files that are replaced below the attack's folder, and the words of the command
// that reads them, in which the first part of the file's name and "made" are in that folder.
var strangeAt = []struct {
	file    string
	command string
}{
	{"cup/plan.json", "cup show cup"},
	{"cup/shard.json", "cup show cup"},
	{"cup/log.ndjson", "cup show cup"},
	{"cup/times.csv", "cup show cup"},
	{"cup/plan.json", "cup export cup"},
	{"cup/plan.json", "cup replay 0 cup"},
	{"cup/origin.json", "cup replay 0 cup"},
	{"bot/main.py", "cup bot random --count 2 --seats 2 --out made"},
	{"bot/hexarena.py", "cup bot random --count 2 --seats 2 --out made"},
	{"bot/data", "cup bot random --count 2 --seats 2 --out made"},
	{"bot.py", "cup bot.py random --count 2 --seats 2 --out made"},
}

// refuseTime is the time that a command may take to refuse a folder: many times what it needs.
const refuseTime = 20 * time.Second

// mayBeZeros are files in which zeros are the end, as a loss of power leaves them.
var mayBeZeros = []string{"cup/log.ndjson", "cup/times.csv"}

// strangeFolders reads folders of others in which a file is no regular one, or large. Each
// command must refuse that, and end.
func strangeFolders(o *options, ctx context.Context, a attack) (r row, err error) {
	r.attack = a
	dir, err := os.MkdirTemp(o.Dir, "folders-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "cup")
	p, err := o.start(ctx, servedOn, o.Hexarena, "cup", "random", "painter", "--format", "round-robin",
		"--count", "2", "--seats", "2", "--turns", "3", "--out", out)
	if err != nil {
		return r, err
	}
	p.Watch(func([]byte) {})
	if err := p.Wait(); err != nil {
		return r, err
	}
	bot := filepath.Join(dir, "bot")
	err = os.Mkdir(bot, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(bot, "main.py"), []byte("import hexarena\n"), 0o600)
	}
	for _, at := range strangeAt {
		for _, s := range strange {
			if err == nil {
				err = r.refuses(o, ctx, dir, at.file, s.make, strings.Fields(at.command), s.what)
			}
		}
	}
	r.judge(0)
	return r, err
}

// refuses runs a command while a file below a folder is replaced.
func (r *row) refuses(
	o *options, ctx context.Context, dir, file string, replace func(path string) error,
	words []string, what string,
) error {
	path := filepath.Join(dir, file)
	if err := os.Rename(path, path+".kept"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := replace(path); err != nil {
		return err
	}
	defer func() {
		_ = os.Remove(path)
		_ = os.Rename(path+".kept", path) // there may be none
	}()
	for i, word := range words {
		if first, _, _ := strings.Cut(file, "/"); word == first && i > 0 || word == "made" {
			words[i] = filepath.Join(dir, word)
		}
	}
	ctx, stop := context.WithTimeout(ctx, refuseTime)
	defer stop()
	r.tally.Requests++
	p, err := o.start(ctx, servedOn, append([]string{o.Hexarena}, words...)...)
	if err != nil {
		return err
	}
	p.Watch(func([]byte) {})
	for ended := false; !ended; {
		select {
		case <-p.Down():
			ended = true
		case <-time.After(peakEvery):
			r.peak = max(r.peak, int64(harness.Peak(p.ID())))
		}
	}
	if err := p.Wait(); ctx.Err() != nil {
		r.fault("%s: %s does not end by itself with %s", file, words[1], what)
	} else if err == nil && !(what == zeros && slices.Contains(mayBeZeros, file)) {
		r.fault("%s: %s does not refuse %s", file, words[1], what)
	}
	return nil
}
