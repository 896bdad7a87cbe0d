package config

import (
	"cmp"
	"strings"

	"github.com/spf13/pflag"
)

// CommandLine is a parsed command line of the program netorcai.
type CommandLine struct {
	Config        Config
	Help, Version bool // to be printed instead of running the server
}

// NetorcaiFlags defines netorcai's flags.
func NetorcaiFlags(fs *pflag.FlagSet) {
	for _, s := range netorcaiSettings() {
		name := s.Name
		for _, a := range s.Aliases { // at most one: netorcai's name
			name, s.Kind = a.Name, a.kind(s)
			s.Default, s.Help = cmp.Or(a.Default, s.Default), cmp.Or(a.Help, s.Help)
		}
		define(fs, name, s)
	}
	fs.BoolP("help", "h", false, "print this")
	fs.Bool("version", false, "print the version")
	AcceptPrefixes(fs)
}

// netorcaiSettings returns the settings that netorcai has.
func netorcaiSettings() []Setting { return Scope{Command: netorcai}.Settings() }

// ParseNetorcai parses netorcai's command line. It is stricter than hexarena's: a switch
// takes no value, no flag may be given twice, and only flags are accepted. A request for
// help or the version takes precedence over unknown flags, but not over syntax errors.
// Errors in settings are of type Mistakes.
func ParseNetorcai(args []string) (CommandLine, error) {
	asked, err := parseNetorcai(args, true)
	if err != nil || asked.Help || asked.Version {
		return asked, err
	}
	return parseNetorcai(args, false)
}

func parseNetorcai(args []string, anyFlag bool) (c CommandLine, err error) {
	fs := pflag.NewFlagSet("netorcai", pflag.ContinueOnError)
	fs.ParseErrorsAllowlist.UnknownFlags = anyFlag
	NetorcaiFlags(fs)
	if m := switchWithValue(fs, args); m != nil {
		return c, Mistakes{m}
	}
	if err := fs.Parse(args); err != nil {
		return c, FlagError(fs, err)
	}
	c.Help, _ = fs.GetBool("help")
	c.Version, _ = fs.GetBool("version")
	if c.Help || c.Version || anyFlag {
		return c, nil
	}
	l := newLoader(netorcaiSettings(), nil)
	l.addFlags(fs)
	if surplus := fs.Args(); len(surplus) > 0 || fs.ArgsLenAtDash() >= 0 {
		surplus = append(surplus, "--")
		l.report(&Mistake{Key: surplus[0], Origin: "command line", Fault: "nothing but flags is taken"})
	}
	v, err := l.values()
	if err != nil {
		return c, err
	}
	c.Config = v.Config()
	return c, nil
}

// switchWithValue finds a switch such as --fast=true, which pflag would accept.
func switchWithValue(fs *pflag.FlagSet, args []string) *Mistake {
	for _, arg := range args {
		long, isLong := strings.CutPrefix(arg, "--")
		name, text, hasValue := strings.Cut(long, "=")
		if !isLong || !hasValue {
			continue
		}
		if f := fs.Lookup(name); f != nil && f.NoOptDefVal != "" {
			return &Mistake{Key: f.Name, Value: quote(text), Origin: "flag --" + f.Name, Fault: "takes no value"}
		}
	}
	return nil
}
