package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/seat"
)

// Locate returns the seat of a folder, which is its program, where it is, or of a bot as git has
// it, such as my_bot.py@HEAD, whose files are written to the folder that scratch returns. It
// reports false for other arguments.
func Locate(
	ctx context.Context, argument string, known seat.Known, scratch func() (string, error),
) (s seat.Spec, ok bool, err error) {
	if info, err := os.Stat(argument); err == nil && info.IsDir() {
		s, err = ofFolder(ctx, argument, known)
		return s, true, err
	}
	if _, ok = revisionOf(argument); !ok {
		return s, false, nil
	}
	dir, err := scratch()
	if err != nil {
		return s, true, err
	}
	if known.Builtin == nil {
		known.Builtin = func(string, uint64) (netorcai.Bot, error) {
			return nil, errors.New(
				"there are no built-in ones")
		}
	}
	e := Entrant{Bot: plan.Bot{Seat: argument}}
	err = e.read(ctx, known, dir)
	e.Spec.AsOf = true
	return e.Spec, true, err
}

// ofFolder returns the seat of the program in a folder.
func ofFolder(ctx context.Context, dir string, known seat.Known) (s seat.Spec, err error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return s, err
	}
	start, err := program(ctx, dir, known)
	if err != nil {
		return s, err
	}
	list, err := seat.Parse(ctx, []string{start}, known)
	if err != nil {
		return s, err
	}
	s = list[0]
	s.Label = filepath.Base(full)
	return s, nil
}

// IsRevision reports whether an argument is of the form my_bot.py@HEAD, and no file has that name.
func IsRevision(argument string) bool {
	_, ok := revisionOf(argument)
	return ok
}

// revision is a file or folder as git has it.
type revision struct{ name, rev string }

// revisionOf splits an argument such as my_bot.py@HEAD into a file or folder and a revision of git.
// It reports false for other arguments, and for one that is the name of a file.
func revisionOf(argument string) (r revision, ok bool) {
	i := strings.LastIndexByte(argument, '@')
	if i < 1 || i == len(argument)-1 || strings.ContainsAny(argument[i:], " \t") ||
		strings.Contains(argument, "://") {
		return revision{}, false
	}
	if _, err := os.Lstat(argument); err == nil {
		return revision{}, false
	}
	r = revision{argument[:i], argument[i+1:]}
	return r, !strings.ContainsAny(r.name, " \t") || isPlace(r.name)
}

// isPlace reports whether a name with spaces is that of a file or a folder, which may be gone from
// its own folder, and no command line.
func isPlace(name string) bool {
	_, err := os.Lstat(name)
	if dir := filepath.Dir(name); err != nil && dir != "." {
		_, err = os.Stat(dir)
	}
	return err == nil
}

// beside returns another file of the folder in the same revision.
func (r revision) beside(name string) revision {
	return revision{filepath.Join(filepath.Dir(r.name), name), r.rev}
}

// checkOut writes a file or folder as git has it to a folder, and returns its path there, with the
// commit, which is empty for a revision that is not a commit. The file may be gone from the working
// tree.
func checkOut(ctx context.Context, r revision, dir string) (path, commit string, err error) {
	name, rev := r.name, r.rev
	if strings.HasPrefix(rev, "-") {
		return "", "", fmt.Errorf(
			"%s as of %s: no revision begins with a dash, which git takes for an option", name, rev)
	}
	base := filepath.Base(filepath.Clean(name))
	in, what, to := filepath.Dir(filepath.Clean(name)), "./"+base, dir
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		full, err := filepath.Abs(name)
		if err != nil {
			return "", "", err
		}
		base = filepath.Base(full) // of "." too
		in, what, to = name, ".", filepath.Join(dir, base)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return "", "", err
	}
	cmd := exec.CommandContext(ctx, "git", "-C", in, "archive", "--format=tar", rev, "--", what)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &limited{Buffer: &out, left: maxBytes}, &complaint
	if err := cmd.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		if line == "" {
			line = err.Error()
		}
		return "", "", fmt.Errorf("%s as of %s: git says %q; it has what was committed, by git init, "+
			"git add and git commit", name, rev, line)
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return "", "", err
	}
	defer root.Close()
	// git notes the commit as a comment
	if commit, err = untar(root, &out, true); err != nil {
		return "", "", fmt.Errorf("%s as of %s: %w", name, rev, err)
	}
	return filepath.Join(dir, base), commit, nil
}

// limited refuses what does not fit any more.
type limited struct {
	*bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("it is larger than a bot may be")
	}
	return l.Buffer.Write(p)
}
