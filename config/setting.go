package config

import (
	"slices"
	"strings"
)

// Setting is one row of the table of settings: all that is known of a setting is in its row. The
// help, the documented defaults, the flags, the environment and the checks follow from it.
type Setting struct {
	Name    string  // as in a settings file; --name on the command line, HEXARENA_NAME in the environment
	Aliases []Alias // other names, which work everywhere and are in no help
	Kind    Kind    // how values are written and which are accepted
	Default string  // as it would be written; accepted by Kind
	Help    string  // one sentence without a full stop; the range is added to it
	Group   Group
	// Commands has the commands that have the setting. The others pass over it in a settings file
	// and in the environment, which many commands share, and do not have the flag.
	Commands Command
	Rare     bool // shown by --help-all only: limits, and what few users need

	// In holds what differs in some of the commands.
	In map[Command]Variant

	// With is a condition without which the setting has no effect, such as "pace=fast" or
	// "headless"; Unless is a switch that leaves it without effect. Empty: none. A value that has
	// no effect is a mistake. Those of switches are checked on the command line only, because a
	// switch chooses how to run once and a file is for many runs.
	With, Unless string

	game string // the one that has the setting, for the help; empty: several
}

// Alias is another name of a setting. What is zero is as in the setting.
type Alias struct {
	Name string
	Kind Kind // of values that are written in another way and mean the same

	// Default and Help are for the program netorcai, to which the alias is the name.
	Default, Help string
}

// Variant is what differs in one command. What is zero does not differ.
type Variant struct {
	Kind          Kind
	Default, Help string
}

// Game is a game that has settings of its own. A setting with the name of a general one replaces
// that: see [General] and [Restrict].
type Game struct {
	Name     string
	Settings []Setting
}

// Command is a set of commands.
type Command uint8

// The commands that have settings.
const (
	Serve Command = 1 << iota
	Play
	Rerun
	netorcai // the program, not the command serve
)

// commandNames are what users call the commands, in the order of their bits.
var commandNames = []string{"serve", "play", "replay rerun"}

func (c Command) String() string {
	var names []string
	for i, name := range commandNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Group is a heading in the help. The zero value is the first.
type Group int

// The groups, in the order of the help.
const (
	GameGroup Group = iota
	SeatsGroup
	PaceGroup
	SeriesGroup
	NetworkGroup
	AccessGroup
	PageGroup
	RecordingGroup
	LogsGroup
	OtherGroup // of flags that are no settings
)

var groupNames = []string{"Game", "Seats", "Pace", "Series", "Network", "Access", "Page", "Recording", "Logs", "Other"}

func (g Group) String() string { return groupNames[g] }

// in returns the setting as command c has it.
func (s Setting) in(c Command) Setting {
	v := s.In[c]
	if v.Kind.Parse != nil {
		s.Kind = v.Kind
	}
	if v.Default != "" {
		s.Default = v.Default
	}
	if v.Help != "" {
		s.Help = v.Help
	}
	return s
}

// called returns the kind of the values that are given under name, and whether name is one of
// the setting's.
func (s Setting) called(name string) (Kind, bool) {
	if name == s.Name {
		return s.Kind, true
	}
	for _, a := range s.Aliases {
		if a.Name == name {
			return a.kind(s), true
		}
	}
	return Kind{}, false
}

func (a Alias) kind(s Setting) Kind {
	if a.Kind.Parse == nil {
		return s.Kind
	}
	return a.Kind
}

// names returns the name and all aliases.
func (s Setting) names() []string {
	names := []string{s.Name}
	for _, a := range s.Aliases {
		names = append(names, a.Name)
	}
	return names
}

// Description returns the help text, with the range of values behind its first part. Before it are
// the command that the setting is of, if it is not empty, and the game, if there is only one.
func (s Setting) Description(command string) string {
	what, more, found := strings.Cut(s.Help, ";")
	if found {
		more = ";" + more
	}
	if s.Kind.Range != "" {
		what += ", " + s.Kind.Range
	}
	if of := strings.Trim(command+", "+s.game, ", "); of != "" {
		what = of + ": " + what
	}
	return what + more
}

// General returns the general setting with that name, for a game to change: a game's default for
// turn-timeout, say, may be another one. It panics if there is none.
func General(name string) Setting {
	i := slices.IndexFunc(table, func(s Setting) bool { return s.Name == name })
	return table[i]
}

// Restrict returns the general settings with these names as a game has them that can use them in
// these commands only; 0: in none.
func Restrict(to Command, names ...string) []Setting {
	var list []Setting
	for _, name := range names {
		s := General(name)
		s.Commands &= to
		list = append(list, s)
	}
	return list
}
