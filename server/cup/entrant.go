package cup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

// Entrant is a bot that takes part in a contest.
type Entrant struct {
	plan.Bot

	spec seat.Spec
	// the file or folder that is copied; empty: a built-in bot, a command or an address
	source string
	origin string   // what the argument names; the source may be a copy of it with more
	start  string   // of a folder: the file in it that is started
	dir    string   // the name of the copy's folder
	named  []string // of a command: the files and folders that it names
}

// Enter reads bots from the arguments of a command, which are those of [seat.Parse], folders with a
// main or bot file, and files or folders as git has them, such as my_bot.py@HEAD. These are written
// to scratch. The error tells of all arguments that are no bots.
func Enter(
	ctx context.Context, arguments []string, known seat.Known, scratch string,
) ([]Entrant, error) {
	known.Page, known.Refuse = true, refuse
	list := make([]Entrant, len(arguments))
	var wrong []error
	for i, argument := range arguments {
		list[i].Seat = argument
		if err := list[i].read(ctx, known, filepath.Join(scratch, strconv.Itoa(i))); err != nil {
			wrong = append(wrong, err)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	setNames(list)
	return list, nil
}

// knownLogic returns an error: there are no built-in game logics.
var knownLogic = seat.Known{Builtin: func(string, uint64) (netorcai.Bot, error) {
	return nil, errors.New("a game logic is a file, a folder or a command line")
}}

// EnterLogic reads a game logic from an argument, as Enter reads a bot.
func EnterLogic(ctx context.Context, argument, scratch string) (*Entrant, error) {
	list, err := Enter(ctx, []string{argument}, knownLogic, filepath.Join(scratch, logicDir))
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// refuse returns why a seat cannot be an entrant's.
func refuse(s *seat.Spec) error {
	switch s.Kind {
	case seat.Page, seat.Open, seat.Wait:
		return errors.New(
			"a cup starts its bots itself: name a built-in bot, a file, a folder, a command or an address")
	}
	return nil
}

// read reads the bot that the argument names.
func (e *Entrant) read(ctx context.Context, known seat.Known, scratch string) error {
	argument, stdio := strings.CutPrefix(e.Seat, seat.StdioPrefix)
	if _, err := known.Builtin(argument, 0); err == nil && !stdio {
		e.Reproducible = true
		return e.parse(ctx, argument, known)
	}
	label := ""
	rev := revision{}
	if r, ok := revisionOf(argument); ok {
		path, commit, err := checkOut(ctx, r, scratch)
		if err != nil {
			return err
		}
		e.Commit = commit
		rev, argument, label = r, path, filepath.Base(path)+"@"+r.rev
	}
	e.start = argument
	if info, err := os.Stat(argument); err == nil {
		e.source, e.origin = argument, argument
		if info.IsDir() {
			full, err := filepath.Abs(argument)
			if err == nil {
				e.start, err = program(ctx, argument, known)
			}
			if err != nil {
				return err
			}
			label = cmp.Or(label, filepath.Base(full))
		}
		if err := e.withKit(ctx, rev, scratch); err != nil {
			return err
		}
	}
	prefix := ""
	if stdio {
		prefix = seat.StdioPrefix
	}
	if err := e.parse(ctx, prefix+e.start, known); err != nil {
		return err
	}
	e.spec.Label = cmp.Or(label, e.spec.Label)
	return e.sum()
}

// parse reads the bot's seat from an argument that needs no copy.
func (e *Entrant) parse(ctx context.Context, argument string, known seat.Known) error {
	list, err := seat.Parse(ctx, []string{argument}, known)
	if err != nil {
		return err
	}
	e.spec = list[0]
	e.spec.Argument = e.Seat
	if e.spec.Script != launch.JSAuto {
		e.JS = e.spec.Script.String()
	}
	return nil
}

// isMain reports whether a file is the one that a folder of a bot is known by.
func isMain(path string) bool {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.EqualFold(base, "main") || strings.EqualFold(base, "bot")
}

// program returns the file of a folder that is started: the only one called main or bot, whatever
// its extension, that can be run; or else its only file that can.
func program(ctx context.Context, dir string, known seat.Known) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var called, others []string
	var reason error
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.HasPrefix(name, ".") {
			continue
		}
		_, err := seat.Parse(ctx, []string{filepath.Join(dir, name)}, known)
		switch main := isMain(name); {
		case main && err != nil:
			reason = err
		case main:
			called = append(called, name)
		case err == nil:
			others = append(others, name)
		}
	}
	if len(called) == 0 && reason == nil {
		called = others
	}
	// A program comes before the source that it was probably built from.
	if programs := slices.DeleteFunc(slices.Clone(called), func(name string) bool {
		return kits.Compiled(filepath.Join(dir, name)) != nil
	}); len(programs) > 0 {
		called = programs
	}
	switch {
	case len(called) == 1:
		return filepath.Join(dir, called[0]), nil
	case len(called) > 1:
		return "", fmt.Errorf(
			"folder %s has several files to start, %s: leave one, or call one of them main", dir,
			strings.Join(called, ", "))
	case reason != nil:
		return "", fmt.Errorf("folder %s: %w", dir, reason)
	}
	return "", fmt.Errorf("folder %s has no file main.* or bot.* to start", dir)
}

// sum sets the digest, and what a command names.
func (e *Entrant) sum() (err error) {
	if e.source != "" {
		e.Digest, err = digestOf(e.source)
		return err
	}
	for _, word := range e.spec.Argv {
		info, err := os.Stat(word)
		inPath := strings.ContainsAny(word, `/\`) && filepath.Clean(word) != "."
		if err == nil && (info.Mode().IsRegular() || info.IsDir() && inPath) {
			e.named = append(e.named, word)
		}
	}
	for _, name := range e.spec.Sources() {
		if !slices.Contains(e.named, name) {
			e.named = append(e.named, name)
		}
	}
	sum := sha256.New()
	for _, name := range e.named {
		d, err := digestOf(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %s\n", name, d)
	}
	copy(e.Digest[:], sum.Sum(nil))
	return nil
}

// setNames gives the entrants names that differ: their labels, with the folder before those of
// files that share one, or else a number. Names and seats are UTF-8, as in the JSON of the plan.
func setNames(list []Entrant) {
	labels := make([]seat.Spec, len(list))
	for i := range list {
		e := &list[i]
		labels[i].Label = e.spec.Label
		shared := slices.ContainsFunc(list, func(other Entrant) bool {
			return other.origin != e.origin && other.spec.Label == e.spec.Label
		})
		if full, err := filepath.Abs(e.origin); e.origin != "" && shared && err == nil {
			labels[i].Label = filepath.Base(filepath.Dir(full)) + "/" + e.spec.Label
		}
		labels[i].Label, e.Seat = textutil.Decode(labels[i].Label), textutil.Decode(e.Seat)
	}
	seat.SetLabels(labels)
	bots := make([]plan.Bot, len(list))
	for i := range list {
		list[i].Name = labels[i].Label
		bots[i] = list[i].Bot
	}
	for i, name := range copyNames(bots) {
		list[i].dir = name
	}
}

// fileName returns a name that all systems accept for a file.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, name)
}

// copyTo copies the bot's files below a folder, unless they are there, and has the copy started.
func (e *Entrant) copyTo(bots string) error {
	if e.source == "" {
		return nil
	}
	dir := filepath.Join(bots, e.dir)
	begin := filepath.Join(dir, filepath.Base(e.start))
	target := dir
	if info, err := os.Stat(e.source); err == nil && !info.IsDir() {
		target = begin
	}
	if d, err := digestOf(target); err != nil || d != e.Digest {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// a copy that was not finished, or that the bot has written to
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		t, err := openTree(e.source)
		if err != nil {
			return err
		}
		defer t.close()
		if err := t.copyTo(dir); err != nil {
			return err
		}
		if d, err := digestOf(target); err != nil || d != e.Digest {
			return errors.Join(err, fmt.Errorf("%s has changed while it was copied: try again", e.source))
		}
	}
	e.spec.Argv = slices.Clone(e.spec.Argv)
	for i, word := range e.spec.Argv {
		if filepath.Clean(word) == filepath.Clean(e.start) {
			e.spec.Argv[i] = begin
		}
	}
	return nil
}

// left are the folders that matches of the command play leave in the folder where it is started.
var left = []string{"bot-logs", "recordings"}

// Bots returns the arguments that name the bots of a folder, one for each entry, and the entries
// that cannot be started: hidden ones, and files that need another program to run.
func Bots(
	ctx context.Context, dir string, known seat.Known,
) (arguments, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name()):
		case entry.IsDir() && slices.Contains(left, entry.Name()):
		case entry.IsDir():
			arguments = append(arguments, path)
		default:
			if _, err := seat.Parse(ctx, []string{path}, known); err != nil {
				others = append(others, path)
				continue
			}
			arguments = append(arguments, path)
		}
	}
	return arguments, others, nil
}
