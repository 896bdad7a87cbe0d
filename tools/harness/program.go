// Package harness holds what the programs that measure and attack a built hexarena
// have in common: their main function and flags, child processes, a hexarena to run,
// players and viewers that connect to it, statistics and a table.
package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Program is a command that runs until it is done or interrupted. It can start itself
// as one of its own child processes.
type Program struct {
	Name string
	// Setup declares the flags and returns what runs once they are parsed and checked. That
	// function returns soon after its context is done.
	Setup func(*Job) (run func(context.Context) error)
	// Children are selected by the first argument. A child process ends at once when it
	// is interrupted; the system closes its connections.
	Children map[string]func(args []string, in io.Reader, out io.Writer) error
}

// Main runs the program that the command line selects and exits with 1 if it fails.
func (p *Program) Main() {
	err := p.main(os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

func (p *Program) main(args []string) error {
	if p.IsChild(args) {
		return p.Children[args[0]](args[1:], os.Stdin, os.Stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return p.Run(ctx, args, os.Stdout, os.Stderr)
}

// IsChild reports whether the arguments of a command line select a child.
func (p *Program) IsChild(args []string) bool {
	return len(args) > 0 && p.Children[args[0]] != nil
}

// ErrInterrupted is the error of a run whose context ended before it was done.
var ErrInterrupted = errors.New("interrupted")

// Run runs the program. It writes its result to out, and its progress and help to progress.
func (p *Program) Run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	j := &Job{Flags: flag.NewFlagSet(p.Name, flag.ContinueOnError), Out: out, progress: progress}
	j.Flags.SetOutput(progress)
	run := p.Setup(j)
	if err := j.parse(args); err != nil {
		return err
	}
	if j.Self, err = os.Executable(); err != nil {
		return err
	}
	remove := func() {}
	if !j.Alone {
		j.Dir, j.Hexarena, remove, err = Workspace(ctx, p.Name, j.Hexarena)
	}
	if err == nil {
		defer remove()
		err = run(ctx)
	}
	if err != nil && ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}

// Job is one run of a program.
type Job struct {
	Flags    *flag.FlagSet
	Hexarena string    // the one to run; if the flags leave it empty, it is built
	Alone    bool      // set by a check: the job needs neither Hexarena nor Dir
	Self     string    // this program, which runs again as its own children
	Dir      string    // temporary, removed at the end
	Out      io.Writer // for the result
	progress io.Writer
	checks   []func() error
}

// Check adds a check, which is made when the flags have been parsed.
func (j *Job) Check(check func() error) { j.checks = append(j.checks, check) }

// Int declares a flag for an integer of the range from least to most; math.MaxInt stands
// for no upper limit.
func (j *Job) Int(value *int, name string, preset, least, most int, usage string) {
	j.Flags.IntVar(value, name, preset, usage)
	j.Check(func() error {
		switch {
		case *value >= least && *value <= most:
			return nil
		case most == math.MaxInt:
			return fmt.Errorf("-%s=%d: give %d or more", name, *value, least)
		}
		return fmt.Errorf("-%s=%d is not in %d…%d", name, *value, least, most)
	})
}

// Duration declares a flag for a time above 0.
func (j *Job) Duration(value *time.Duration, name string, preset time.Duration, usage string) {
	j.Flags.DurationVar(value, name, preset, usage)
	j.Check(func() error {
		if *value <= 0 {
			return fmt.Errorf("-%s=%v: give a time above 0", name, *value)
		}
		return nil
	})
}

func (j *Job) parse(args []string) error {
	if err := j.Flags.Parse(args); err != nil {
		return err
	}
	if j.Flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", j.Flags.Arg(0))
	}
	for _, check := range j.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// Report prints a line of progress.
func (j *Job) Report(format string, args ...any) { fmt.Fprintf(j.progress, format+"\n", args...) }

// Select returns the elements of all whose names are in list, separated by commas; all of
// them if list is empty. The error names the flag that gave the list.
func Select[T any](flag string, all []T, name func(T) string, list string) (chosen []T, err error) {
	if list == "" {
		return all, nil
	}
	for wanted := range strings.SplitSeq(list, ",") {
		before := len(chosen)
		for _, one := range all {
			if name(one) == wanted {
				chosen = append(chosen, one)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("-%s: there is no %q; choose from %s", flag, wanted, Names(all, name))
		}
	}
	return chosen, nil
}

// Names returns the distinct names of a list, separated by commas.
func Names[T any](all []T, name func(T) string) string {
	var names []string
	for _, one := range all {
		if n := name(one); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}
