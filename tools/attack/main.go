//go:build linux

// Command attack repeats known attacks on a built hexarena, each against a server of its
// own with the options under which the attack was found, and prints one table: what the
// attackers sent, how it delayed the honest bots, and how much memory and disk the server
// used.
//
//	make attack
//	go run ./tools/attack -only downloads,answers
//
// The server has the memory that deploy/compose.yaml gives it, in a control group if one
// can be created. Server and honest bots run on one processor, the attackers on another.
// Before each attack the same bots play undisturbed; their turn times are the reference.
//
// It exits with 0 if every server stayed up and within its limits, and no honest bot lost
// a turn. It runs on Linux, on the loopback interface only, and cleans up also when it is
// interrupted.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

var program = harness.Program{
	Name: "attack", Setup: setup,
	Children: map[string]func([]string, io.Reader, io.Writer) error{
		honestCommand: runHonest, hostileCommand: runHostile,
	},
}

func main() { program.Main() }

// options are the settings of all attacks.
type options struct {
	*harness.Job
	quiet    time.Duration // time that the honest bots play undisturbed
	duration time.Duration // time that they are attacked
	scale    int           // divides the number of attackers
	shared   bool          // all processes use all processors
	chosen   []attack
}

func setup(j *harness.Job) func(context.Context) error {
	o := &options{Job: j}
	j.Flags.StringVar(&j.Hexarena, "program", "",
		"the hexarena to attack (default: built for the run)")
	j.Duration(&o.quiet, "quiet", 5*time.Second,
		"how long the honest bots play undisturbed before each attack")
	j.Duration(&o.duration, "duration", 12*time.Second, "how long each attack lasts")
	j.Int(&o.scale, "scale", 1, 1, math.MaxInt, "divide the number of attackers by this")
	j.Flags.BoolVar(&o.shared, "held", false,
		"run the attacks that have never harmed a server instead, with all processors for all")
	title := func(a attack) string { return a.name }
	only := j.Flags.String("only", "", "attacks to run, separated by commas: "+
		harness.Names(attacks, title)+"; with -held "+harness.Names(heldAttacks, title)+
		" (default all)")
	j.Check(func() (err error) {
		all := attacks
		if o.shared {
			all = heldAttacks
		}
		o.chosen, err = harness.Select("only", all, title, *only)
		return err
	})
	return o.runAll
}

// errBroken is the error of attacks that broke a limit.
var errBroken = errors.New("limits were broken")

// runAll runs the attacks one after another and prints the table.
func (o *options) runAll(ctx context.Context) error {
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: openFiles, Max: openFiles})
	o.printConditions(o.Out)
	began := time.Now()
	var rows []row
	broken := 0
	for _, a := range o.chosen {
		run := o.runTrial
		if a.alone != nil {
			run = func(ctx context.Context, a attack) (row, error) { return a.alone(o, ctx, a) }
		}
		r, err := run(ctx, a.scaled(o.scale))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // go on with the other attacks
			r.fault("it could not be run: %v", err)
		}
		o.Report("%s, %s: %s", a.name, a.what, r.verdict())
		rows = append(rows, r)
		if len(r.faults) > 0 {
			broken++
		}
	}
	o.Report("done after %v", time.Since(began).Round(time.Second))
	if err := printTable(o.Out, rows); err != nil {
		return err
	}
	if broken > 0 {
		return fmt.Errorf("%w: %d of %d attacks", errBroken, broken, len(o.chosen))
	}
	return nil
}

// answerAll is how a child answers the calls of harness.Process.Ask.
func answerAll(in *bufio.Scanner, out io.Writer, figures func() any) error {
	for in.Scan() {
		if err := json.NewEncoder(out).Encode(figures()); err != nil {
			return err
		}
	}
	return in.Err()
}
