//go:build linux

// Command attack repeats known attacks on a built hexarena, each against a server
// of its own with the options under which the attack was found, and prints one
// table: what the attackers sent, what it cost the honest bots, and what the server
// took of memory and disk.
//
//	make attack
//	go run ./server/attack -only downloads,answers
//
// The server has the memory that deploy/compose.yaml gives it, in a control group
// where one can be made. Server and honest bots run on one processor, the attackers
// on another. Before each attack the same bots play undisturbed, and what they see
// then is what the attack is judged by.
//
// It ends with 0 if every server stayed up and within its bounds, and no honest bot
// lost a turn. It runs on Linux and on the loopback interface alone, and leaves
// nothing behind, also when it is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

func main() {
	if err := command(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

// command is run, or what this program is besides. Those end at once when they are
// told to, and leave their connections to the system.
func command(args []string) error {
	if len(args) > 0 {
		switch name, args := args[0], args[1:]; name {
		case confineCommand:
			return runConfined(args)
		case honestCommand:
			return runHonest(args, os.Stdin, os.Stdout)
		case hostileCommand:
			return runHostile(args, os.Stdin, os.Stdout)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, os.Stdout, os.Stderr)
}

// options are what all attacks go by.
type options struct {
	program  string        // hexarena
	self     string        // this program, which is the bots and the attackers as well
	dir      string        // for maps and recordings, removed in the end
	quiet    time.Duration // how long the honest bots play undisturbed
	duration time.Duration // how long they are attacked
	scale    int           // divides how many attackers there are
	shared   bool          // all use all processors
	table    table
	progress io.Writer
}

// run is the command: the table goes to out, progress and help to progress.
func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o := options{progress: progress}
	flags := flag.NewFlagSet("attack", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&o.program, "program", "", "the hexarena to attack (default: built for the run)")
	flags.DurationVar(&o.quiet, "quiet", 5*time.Second, "how long the honest bots play undisturbed before each attack")
	flags.DurationVar(&o.duration, "duration", 12*time.Second, "how long each attack lasts")
	flags.IntVar(&o.scale, "scale", 1, "divide the number of attackers by this")
	flags.BoolVar(&o.shared, "held", false, "repeat the attacks that have never harmed a server instead, on processors that all share")
	only := flags.String("only", "", "attacks to repeat, separated by commas: "+strings.Join(names(attacks), ", ")+"; with -held "+strings.Join(names(heldAttacks), ", ")+" (default all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	all := attacks
	if o.shared {
		all = heldAttacks
	}
	chosen, err := choose(all, *only)
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
	if o.dir, err = os.MkdirTemp("", "hexarena-attack-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	if o.program == "" {
		o.program = filepath.Join(o.dir, "hexarena")
		if err := proc.Build(ctx, o.program); err != nil {
			return err
		}
	}
	err = o.repeat(ctx, chosen, out)
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// repeat makes the attacks one after another and prints the table.
func (o *options) repeat(ctx context.Context, chosen []attack, out io.Writer) error {
	o.surroundings(out)
	began := time.Now()
	broken := 0
	for _, a := range chosen {
		r, err := o.attempt(ctx, a.scaled(o.scale))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // the others may tell more
			r.fault("it could not be made: %v", err)
		}
		o.say("%s, %s: %s", a.name, a.what, r.verdict())
		o.table = append(o.table, r)
		if len(r.faults) > 0 {
			broken++
		}
	}
	o.say("done after %v", time.Since(began).Round(time.Second))
	if err := o.table.print(out); err != nil {
		return err
	}
	if broken > 0 {
		return fmt.Errorf("%w: %d of %d attacks", errBroken, broken, len(chosen))
	}
	return nil
}

// errBroken is what the command is for finding out.
var errBroken = errors.New("bounds were broken")

// attempt makes one attack.
func (o *options) attempt(ctx context.Context, a attack) (row, error) {
	if a.alone != nil {
		return a.alone(o, ctx, a)
	}
	return o.try(ctx, a)
}

// names are those of attacks, each once.
func names(of []attack) (all []string) {
	for _, a := range of {
		if !slices.Contains(all, a.name) {
			all = append(all, a.name)
		}
	}
	return all
}

// choose returns the attacks with the given names.
func choose(from []attack, only string) ([]attack, error) {
	if only == "" {
		return from, nil
	}
	wanted := strings.Split(only, ",")
	for _, name := range wanted {
		if !slices.Contains(names(from), name) {
			return nil, fmt.Errorf("-only: there is no attack %q; there are %s", name, strings.Join(names(from), ", "))
		}
	}
	var chosen []attack
	for _, a := range from {
		if slices.Contains(wanted, a.name) {
			chosen = append(chosen, a)
		}
	}
	return chosen, nil
}

// say tells of progress.
func (o *options) say(format string, args ...any) { fmt.Fprintf(o.progress, format+"\n", args...) }
