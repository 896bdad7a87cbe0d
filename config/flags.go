package config

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// fileFlag names the settings file. It is not a setting.
const fileFlag = "config"

// FileType is the type of its value.
const FileType = "file"

// flagText is the value of each flag: the text as given, which Load checks. If it were
// checked here, pflag would stop at the first mistake.
type flagText struct {
	text    string
	kind    string
	times   int     // how often the flag was given
	setting Setting // zero: not a setting
}

func (t *flagText) String() string { return t.text }
func (t *flagText) Type() string   { return t.kind }

func (t *flagText) Set(text string) error {
	if t.times > 0 && t.setting.Repeats {
		text = t.text + " " + text
	}
	t.text = text
	t.times++
	return nil
}

// Flags defines a flag for each setting, and --config, which names a settings file. As in
// netorcai, unambiguous prefixes of flags are accepted: fs must not have further flags
// whose name is a prefix of a setting's.
func (s Scope) Flags(fs *pflag.FlagSet) {
	for _, one := range s.Settings() {
		define(fs, one.Name, one)
		for _, a := range one.Aliases {
			one.Kind = a.kind(one)
			define(fs, a.Name, one).Hidden = true
		}
	}
	fs.Var(&flagText{kind: FileType}, fileFlag, "YAML file of settings")
	AcceptPrefixes(fs)
}

// define defines the flag of a setting under a name.
func define(fs *pflag.FlagSet, name string, s Setting) *pflag.Flag {
	flag := fs.VarPF(&flagText{text: s.Default, kind: s.Kind.Type, setting: s}, name, "",
		s.Description(""))
	if s.Kind.Type == "bool" {
		flag.NoOptDefVal = "true"
	}
	return flag
}

// AcceptPrefixes makes fs accept unambiguous prefixes of the names of flags. It is called
// after all flags have been defined.
func AcceptPrefixes(fs *pflag.FlagSet) { fs.SetNormalizeFunc(expandName) }

// Words returns the values of a flag that the shell completes.
func Words(f *pflag.Flag) []string {
	if s := settingOf(f); s != nil {
		return s.Kind.Words
	}
	return nil
}

// expandName completes an unambiguous prefix of a flag's name.
func expandName(fs *pflag.FlagSet, name string) pflag.NormalizedName {
	if candidates := namesWithPrefix(fs, name); name != "" && len(candidates) == 1 {
		return pflag.NormalizedName(candidates[0])
	}
	return pflag.NormalizedName(name)
}

// namesWithPrefix returns the flags whose names begin with prefix, or only the flag with
// exactly that name.
func namesWithPrefix(fs *pflag.FlagSet, prefix string) (names []string) {
	exact := false
	fs.VisitAll(func(f *pflag.Flag) {
		exact = exact || f.Name == prefix
		if strings.HasPrefix(f.Name, prefix) {
			names = append(names, f.Name)
		}
	})
	if exact {
		return []string{prefix}
	}
	return names
}

// FlagError rewrites an error of fs.Parse in the form of the mistakes of [Scope.Load]. It
// returns other errors unchanged.
func FlagError(fs *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		return Mistakes{unknownFlag(fs, unknown.GetSpecifiedName(), err)}
	case errors.As(err, &bare):
		name := bare.GetFlag().Name
		return Mistakes{{Key: name, Origin: "flag --" + name, Fault: "has no value", Err: err}}
	}
	return err
}

func unknownFlag(fs *pflag.FlagSet, name string, err error) *Mistake {
	m := &Mistake{Key: "--" + name, Origin: "command line", Fault: "unknown flag", Err: err}
	if fault := removedFault(name); fault != "" {
		m.Fault = fault
	} else if candidates := namesWithPrefix(fs, name); len(candidates) > 1 {
		m.Fault = "could be --" + strings.Join(candidates, " or --")
	} else {
		m.Fault += Suggest("; the nearest is --", name, namesWithPrefix(fs, ""))
	}
	return m
}
