package harness

import (
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

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
// them if list is empty. The error names a flag -only.
func Select[T any](all []T, name func(T) string, list string) (chosen []T, err error) {
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
			return nil, fmt.Errorf("-only: there is no %q; choose from %s", wanted, Names(all, name))
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
