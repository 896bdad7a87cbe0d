package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

// Folders in that of a cup, of copies.
const (
	BotsDir  = "bots"
	LogicDir = "logic"
)

// Restart returns how bot i of the plan of the cup in a folder is started by itself: from its copy,
// if it has one.
func Restart(
	ctx context.Context, dir string, p *plan.Plan, i int, known seat.Known,
) (seat.Spec, error) {
	return restart(ctx, copyIn(dir, p, i), &p.Bots[i], known)
}

// copyIn returns the folder of the copy of bot i of a plan, in the folder of its cup.
func copyIn(dir string, p *plan.Plan, i int) string {
	return filepath.Join(dir, BotsDir, copyNames(p.Bots)[i])
}

// restart returns how a bot, or a game logic, is started: from its copy, if there is one.
func restart(ctx context.Context, copied string, b *plan.Bot, known seat.Known) (seat.Spec, error) {
	argument, stdio := strings.CutPrefix(b.Seat, seat.StdioPrefix)
	start := argument
	if _, err := os.Stat(copied); err == nil {
		if start, err = copyOf(ctx, copied, argument, known); err != nil {
			return seat.Spec{}, fmt.Errorf("bot %s: %w", b.Name, err)
		}
	}
	if stdio {
		start = seat.StdioPrefix + start
	}
	if known.JS = launch.JSNode; b.JS == launch.JSBuiltin.String() { // cups without the key are older
		known.JS = launch.JSBuiltin
	}
	// git may have another version now
	known.Locate = nil
	list, err := seat.Parse(ctx, []string{start}, known)
	if err != nil {
		return seat.Spec{}, fmt.Errorf("bot %s: %w", b.Name, err)
	}
	return list[0], nil
}

// copyOf returns the file to start of a bot's copy: the one that the argument names, or if that
// named a folder the main file.
func copyOf(ctx context.Context, copied, argument string, known seat.Known) (string, error) {
	r, ok := revisionOf(argument)
	name := r.name
	if !ok {
		name = argument
	}
	file := filepath.Join(copied, filepath.Base(name))
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return file, nil
	}
	return program(ctx, copied, known)
}

// copyNames returns the names of the folders of the bots' copies.
func copyNames(bots []plan.Bot) []string {
	folders := make([]seat.Spec, len(bots))
	for i := range bots {
		folders[i].Label = FileName(bots[i].Name)
	}
	seat.SetLabels(folders)
	names := make([]string, len(bots))
	for i := range folders {
		names[i] = folders[i].Label
	}
	return names
}

// FileName returns a name that all systems accept for a file.
func FileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, name)
}

// Copied reports whether the bot has files that are copied: it is no built-in bot, command or
// address.
func (e *Entrant) Copied() bool { return e.source != "" }

// CopyTo copies the bot's files below a folder, unless they are there, and starts the copy from now
// on. With public, all users may read it.
func (e *Entrant) CopyTo(bots string, public bool) error {
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
	e.Spec.Argv = slices.Clone(e.Spec.Argv)
	for i, word := range e.Spec.Argv {
		if filepath.Clean(word) == filepath.Clean(e.start) {
			e.Spec.Argv[i] = begin
		}
	}
	if public {
		return share(dir)
	}
	return nil
}

// EnterCopies returns the bots of a plan, those that are files as copies in the folder dir.
func EnterCopies(
	ctx context.Context, dir string, p *plan.Plan, known seat.Known,
) ([]Entrant, error) {
	list := make([]Entrant, len(p.Bots))
	for i := range p.Bots {
		e, err := EnterCopy(ctx, dir, p, i, known)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	return list, nil
}

// EnterCopy returns bot i of a plan: a file as its copy in the folder dir, and a command only if
// the files that it names are those of the plan.
func EnterCopy(
	ctx context.Context, dir string, p *plan.Plan, i int, known seat.Known,
) (Entrant, error) {
	return enterCopy(ctx, copyIn(dir, p, i), &p.Bots[i], known)
}

// EnterLogicCopy returns the game logic of a plan, as EnterCopy returns a bot.
func EnterLogicCopy(ctx context.Context, dir string, p *plan.Plan) (Entrant, error) {
	copied := filepath.Join(dir, LogicDir, copyNames([]plan.Bot{*p.Logic})[0])
	return enterCopy(ctx, copied, p.Logic, knownLogic)
}

func enterCopy(ctx context.Context, copied string, b *plan.Bot, known seat.Known) (Entrant, error) {
	spec, err := restart(ctx, copied, b, known)
	if err != nil {
		return Entrant{}, err
	}
	e := Entrant{Bot: *b, Spec: spec}
	e.Spec.Label = b.Name
	if spec.Kind == seat.Builtin {
		return e, nil
	}
	if d, err := digestOf(copied); err == nil && d == b.Digest {
		e.source = copied
		return e, nil
	}
	if err := e.sum(); err != nil || e.Digest != b.Digest {
		return Entrant{}, fmt.Errorf("bot %s: its files are not those of the cup, which %s should have",
			b.Name, copied)
	}
	return e, nil
}
