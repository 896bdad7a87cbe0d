package config

import (
	"cmp"
	"slices"
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
// Errors in settings are of type Mistakes, or a [*RefusedValue] if all other settings are right,
// which the result then holds.
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
	if m := syntaxMistake(fs, args); m != nil {
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
	c.Config = v.Config() // without the settings that are wrong
	if refused := refusedValues(fs, l.mistakes); err != nil && len(refused) == len(l.mistakes) {
		err = refused[0]
	}
	return c, err
}

// syntaxMistake finds what pflag would accept: a switch with a value, such as --fast=true, and the
// beginning of several flags beside unknown flags.
func syntaxMistake(fs *pflag.FlagSet, args []string) *Mistake {
	for _, arg := range args {
		long, isLong := strings.CutPrefix(arg, "--")
		name, text, hasValue := strings.Cut(long, "=")
		if !isLong || name == "" {
			continue
		}
		if len(namesWithPrefix(fs, name)) > 1 {
			return unknownFlag(fs, name, nil)
		}
		if !hasValue {
			continue
		}
		if f := fs.Lookup(name); f != nil && f.NoOptDefVal != "" {
			return &Mistake{
				Key: f.Name, Value: quote(text), Origin: "flag --" + f.Name, Fault: "takes no value",
			}
		}
	}
	return nil
}

// RefusedValue is a number that netorcai does not accept. Its text is netorcai's.
type RefusedValue struct {
	Flag  string
	Fault string
}

func (e *RefusedValue) Error() string {
	text := "Field '--" + e.Flag + "' is invalid: " + e.Fault
	if e.Flag != netorcaiNumbers[0].Name {
		text = "Invalid arguments: " + text // netorcai checks the port elsewhere
	}
	return text
}

// netorcaiNumbers holds the numbers on netorcai's command line, in the order in which it checks
// them.
var netorcaiNumbers = [...]Variable{
	{Name: "port", Min: 1, Max: 65535, Integer: true},
	{Name: "nb-players-max", Min: 0, Max: maxSeats, Integer: true},
	specialsMax, visusMax, turnsMax, delayFirstTurn, delayTurns,
}

// refusedValues returns the mistakes that are values of numbers, in the order in which netorcai
// finds them. A number that is given twice is another kind of mistake.
func refusedValues(fs *pflag.FlagSet, mistakes Mistakes) (refused []*RefusedValue) {
	for _, v := range netorcaiNumbers {
		wrong := slices.ContainsFunc(mistakes,
			func(m *Mistake) bool { return m.Origin == "flag --"+v.Name })
		if given := fs.Lookup(v.Name).Value.(*flagText); wrong && given.times == 1 {
			refused = append(refused, &RefusedValue{Flag: v.Name, Fault: v.netorcaiFault(given.text)})
		}
	}
	return refused
}

// netorcaiFault returns why netorcai refuses a value, which is not a number in the variable's
// range.
func (v Variable) netorcaiFault(text string) string {
	number, _, err := v.read(text)
	switch {
	case err != nil && v.Integer:
		return "Could not parse integer. Err: " + err.Error()
	case err != nil:
		return "Could not parse float. Err: " + err.Error()
	case number > v.Max:
		return "Value is greater than maxValue=" + v.Format(v.Max)
	}
	return "Value is less than minValue=" + v.Format(v.Min) // also for NaN, which netorcai would take
}
