// Package source reads the bots that contests are played with: a built-in bot, a file, a folder, a
// command line, an address, a file or folder as git has it, or the submissions of a course. It
// takes their digests, copies them to the folder of a cup, and packs them for other machines.
//
// Files of others are not trusted: unpacking is bounded in entries, bytes and compression, and
// writes nowhere else. A fault of one submission is a problem of this one only.
package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

// Entrant is a bot that takes part in a contest.
type Entrant struct {
	plan.Bot

	Spec  seat.Spec
	Named []string // of a command: the files and folders that it names

	// the file or folder that is copied; empty: a built-in bot, a command or an address
	source string
	origin string // what the argument names; the source may be a copy of it with more
	start  string // of a folder: the file in it that is started
	dir    string // the name of the copy's folder
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

// knownLogic describes the seats of game logics, none of which is built in.
var knownLogic = seat.Known{Builtin: func(string, uint64) (netorcai.Bot, error) {
	return nil, errors.New("a game logic is a file, a folder or a command line")
}}

// EnterLogic reads a game logic from an argument, as Enter reads a bot.
func EnterLogic(ctx context.Context, argument, scratch string) (*Entrant, error) {
	list, err := Enter(ctx, []string{argument}, knownLogic, filepath.Join(scratch, LogicDir))
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
	e.Spec.Label = cmp.Or(label, e.Spec.Label)
	return e.sum()
}

// parse reads the bot's seat from an argument that needs no copy.
func (e *Entrant) parse(ctx context.Context, argument string, known seat.Known) error {
	list, err := seat.Parse(ctx, []string{argument}, known)
	if err != nil {
		return err
	}
	e.Spec = list[0]
	e.Spec.Argument = e.Seat
	if e.Spec.Script != launch.JSAuto {
		e.JS = e.Spec.Script.String()
	}
	return nil
}

// sum sets the digest, and what a command names.
func (e *Entrant) sum() (err error) {
	if e.source != "" {
		e.Digest, err = digestOf(e.source)
		return err
	}
	for _, word := range e.Spec.Argv {
		info, err := os.Stat(word)
		inPath := strings.ContainsAny(word, `/\`) && filepath.Clean(word) != "."
		if err == nil && (info.Mode().IsRegular() || info.IsDir() && inPath) {
			e.Named = append(e.Named, word)
		}
	}
	for _, name := range e.Spec.Sources() {
		if !slices.Contains(e.Named, name) {
			e.Named = append(e.Named, name)
		}
	}
	sum := sha256.New()
	for _, name := range e.Named {
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
		labels[i].Label = e.Spec.Label
		shared := slices.ContainsFunc(list, func(other Entrant) bool {
			return other.origin != e.origin && other.Spec.Label == e.Spec.Label
		})
		if full, err := filepath.Abs(e.origin); e.origin != "" && shared && err == nil {
			labels[i].Label = filepath.Base(filepath.Dir(full)) + "/" + e.Spec.Label
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
