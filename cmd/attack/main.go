//go:build linux

// Command attack repeats known attacks on a built hexarena, each against a server of its
// own with the options under which the attack was found, and prints one table: what the
// attackers sent, how it delayed the honest bots, and how much memory and disk the server
// used.
//
//	make attack
//	go run ./cmd/attack -only downloads,answers
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
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

var program = harness.Program{
	Name: "attack", Run: run,
	Children: map[string]func([]string, io.Reader, io.Writer) error{
		confineCommand: runConfined, honestCommand: runHonest, hostileCommand: runHostile,
	},
}

func main() { program.Main() }

// options are the settings of all attacks.
type options struct {
	program  string        // hexarena
	self     string        // this program, which is also the bots and the attackers
	dir      string        // of maps and recordings; removed at the end
	quiet    time.Duration // time that the honest bots play undisturbed
	duration time.Duration // time that they are attacked
	scale    int           // divides the number of attackers
	shared   bool          // all processes use all processors
	table    table
	progress io.Writer
}

// run parses the flags and runs the chosen attacks.
func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o := options{progress: progress}
	flags := flag.NewFlagSet("attack", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&o.program, "program", "", "the hexarena to attack (default: built for the run)")
	flags.DurationVar(&o.quiet, "quiet", 5*time.Second, "how long the honest bots play undisturbed before each attack")
	flags.DurationVar(&o.duration, "duration", 12*time.Second, "how long each attack lasts")
	flags.IntVar(&o.scale, "scale", 1, "divide the number of attackers by this")
	flags.BoolVar(&o.shared, "held", false, "run the attacks that have never harmed a server instead, with all processors for all")
	only := flags.String("only", "", "attacks to run, separated by commas: "+harness.Names(attacks, attack.title)+"; with -held "+harness.Names(heldAttacks, attack.title)+" (default all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	all := attacks
	if o.shared {
		all = heldAttacks
	}
	chosen, err := harness.Select(all, attack.title, *only)
	switch {
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.quiet <= 0 || o.duration <= 0:
		return fmt.Errorf("-quiet=%v -duration=%v: give times above 0", o.quiet, o.duration)
	case o.scale < 1:
		return fmt.Errorf("-scale=%d: give 1 or more", o.scale)
	}
	if o.self, err = os.Executable(); err != nil {
		return err
	}
	var remove func()
	if o.dir, o.program, remove, err = harness.Workspace(ctx, "attack", o.program); err != nil {
		return harness.Interrupted(ctx, err)
	}
	defer remove()
	return harness.Interrupted(ctx, o.runAll(ctx, chosen, out))
}

// runAll runs the attacks one after another and prints the table.
func (o *options) runAll(ctx context.Context, chosen []attack, out io.Writer) error {
	o.printConditions(out)
	began := time.Now()
	broken := 0
	for _, a := range chosen {
		r, err := o.runOne(ctx, a.scaled(o.scale))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // go on with the other attacks
			r.fault("it could not be run: %v", err)
		}
		o.report("%s, %s: %s", a.name, a.what, r.verdict())
		o.table = append(o.table, r)
		if len(r.faults) > 0 {
			broken++
		}
	}
	o.report("done after %v", time.Since(began).Round(time.Second))
	if err := o.table.print(out); err != nil {
		return err
	}
	if broken > 0 {
		return fmt.Errorf("%w: %d of %d attacks", errBroken, broken, len(chosen))
	}
	return nil
}

// errBroken is the error of attacks that broke a limit.
var errBroken = errors.New("limits were broken")

// runOne runs one attack.
func (o *options) runOne(ctx context.Context, a attack) (row, error) {
	if a.alone != nil {
		return a.alone(o, ctx, a)
	}
	return o.runTrial(ctx, a)
}

// report prints a line of progress.
func (o *options) report(format string, args ...any) { fmt.Fprintf(o.progress, format+"\n", args...) }
