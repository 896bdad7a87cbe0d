package config

import (
	"slices"
	"strings"
)

// Setting is one row of the table of settings. The flag, the environment variable, the help, the
// documented default and the checks of a setting follow from its row.
type Setting struct {
	// as in a settings file; --name on the command line, HEXARENA_NAME in the environment
	Name    string
	Aliases []Alias // other names; they work everywhere, and the help does not show them
	Kind    Kind    // determines how values are written and which are accepted
	Default string  // in the form in which a user would write it
	Help    string  // one sentence without a full stop; the range of values is added to it
	Group   Group
	// Commands is the set of commands that have the setting. The others do not have the flag, and
	// ignore the setting in files and in the environment, which commands share.
	Commands Command
	Rare     bool // only --help-all shows it
	Repeats  bool // the flag may be given several times: its texts are joined with spaces

	// In holds the differences between commands.
	In map[Command]Variant

	// With is a condition that the setting needs to have an effect, such as "pace=fast" or
	// "isolate". Empty: no condition. A value without effect is a mistake. If the condition is a
	// switch, only flags are checked: a switch is for one run, and a file is for many.
	With string

	// the only game that has the setting, for the help; empty: general, or of several games
	game string
}

// Alias is another name of a setting. Fields that are zero have the value of the setting's.
type Alias struct {
	Name string
	Kind Kind // values may be written in another way; parsed, they have the same type

	// Default and Help are for the program netorcai, which knows the setting by the alias.
	Default, Help string
}

// Variant holds the fields of a setting that are different in one command; zero fields are not.
type Variant struct {
	Kind          Kind
	Default, Help string
}

// Game is a game with its own settings. One that has the name of a general setting replaces it for
// this game: see [General] and [Restrict].
type Game struct {
	Name     string
	Settings []Setting
}

// Command is a set of commands.
type Command uint16

// The commands that have settings.
const (
	Serve Command = 1 << iota
	Play
	Rerun
	Cup
	Check
	Event
	Verify   // of replay
	ShownCup // the command cup show
	Env
	netorcai // the program, not the command serve
)

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
	OtherGroup // flags that are not settings
)

var groupNames = []string{
	"Game", "Seats", "Pace", "Series", "Network", "Access", "Page", "Recording", "Logs", "Other",
}

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

// called returns the kind of values that are given under a name. It reports whether the name is one
// of the setting's.
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

// Description returns the help text with the range of values after its first part. It begins with
// the command, if that is not empty, and with the game, if only one has the setting.
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

// General returns the general setting with that name. A game changes it, for example its default,
// and has it among its own settings. It panics if there is no such setting.
func General(name string) Setting {
	i := slices.IndexFunc(table, func(s Setting) bool { return s.Name == name })
	return table[i]
}

// Restrict returns the general settings with these names for a game in which they have an effect in
// some commands only; 0: in none.
func Restrict(to Command, names ...string) []Setting {
	var list []Setting
	for _, name := range names {
		s := General(name)
		s.Commands &= to
		list = append(list, s)
	}
	return list
}
