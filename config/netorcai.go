package config

import (
	"cmp"
	"strings"

	"github.com/spf13/pflag"
)

// CommandLine is what the program netorcai is asked to do.
type CommandLine struct {
	Config        Config
	Help, Version bool // is to be printed, and nothing else done
}

// NetorcaiFlags defines netorcai's flags.
func NetorcaiFlags(fs *pflag.FlagSet) {
	for _, s := range netorcaiSettings() {
		name := s.Name
		for _, a := range s.Aliases { // one at the most: netorcai's name
			name, s.Kind = a.Name, a.kind(s)
			s.Default, s.Help = cmp.Or(a.Default, s.Default), cmp.Or(a.Help, s.Help)
		}
		define(fs, name, s)
	}
	fs.BoolP("help", "h", false, "print this")
	fs.Bool("version", false, "print the version")
	AcceptPrefixes(fs)
}

// netorcaiSettings returns the settings that netorcai has too.
func netorcaiSettings() []Setting { return Scope{Command: netorcai}.Settings() }

// ParseNetorcai reads netorcai's command line. It is stricter than that of
// hexarena: a switch takes no value, nothing may be given twice, and nothing
// but flags is taken. A request for help or the version is answered, unless an
// argument cannot be read at all; flags that netorcai does not know can. Where
// the error concerns settings it is of type Mistakes.
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

// switchWithValue finds a switch such as --fast=true, which pflag would take.
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
