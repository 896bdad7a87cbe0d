package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// NetorcaiPlayers is how many seats for players netorcai has unless it is told
// otherwise.
const NetorcaiPlayers = 4

// CommandLine is what the program netorcai is asked to do.
type CommandLine struct {
	Config        Config
	Help, Version bool // is to be printed, and nothing else done
}

// netorcaiNames are the settings that netorcai has too.
var netorcaiNames = []string{
	"port", "nb-turns-max", "nb-players-max", "nb-splayers-max", "nb-visus-max",
	"delay-first-turn", "delay-turns", "autostart", "fast", "simple-prompt",
	string(Verbose), string(Quiet), string(Debug), "json-logs",
}

// netorcaiScope is those settings. There is no map to leave the number of
// players to.
func netorcaiScope() scope {
	all := serveScope(nil)
	s := newScope(slices.DeleteFunc(all.keys, func(k key) bool { return !slices.Contains(netorcaiNames, k.name) }), all.defaults)
	for i, k := range s.keys {
		if k.name == playersMax.Name {
			s.keys[i] = given(integer(playersMax)).key(k.name, func(c *Config) *Optional[int] { return &c.MaxPlayers })
			s.defaults[i].text = strconv.Itoa(NetorcaiPlayers)
			s.defaults[i].comment = "seats for players, 0 to 1024"
		}
	}
	return s
}

// NetorcaiFlags defines netorcai's flags.
func NetorcaiFlags(fs *pflag.FlagSet) {
	netorcaiScope().flags(fs)
	fs.BoolP("help", "h", false, "print this")
	fs.Bool("version", false, "print the version")
	AcceptPrefixes(fs)
}

// ParseNetorcai reads netorcai's command line. It is stricter than that of
// hexarena: a switch takes no value, nothing may be given twice, and nothing
// but flags is taken. Whoever asks for help or the version gets it, unless an
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
	l := newLoader(netorcaiScope())
	l.addFlags(fs)
	if surplus := fs.Args(); len(surplus) > 0 || fs.ArgsLenAtDash() >= 0 {
		surplus = append(surplus, "--")
		l.report(&Mistake{Key: surplus[0], Origin: "command line", Fault: "nothing but flags is taken"})
	}
	e, err := l.effective()
	if err != nil {
		return c, err
	}
	c.Config = e.Config
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
