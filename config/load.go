package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
)

const (
	envPrefix = "HEXARENA_"
	// fileVariable is the only variable with the prefix that is not a setting: it names the
	// settings file, unless --config does.
	fileVariable = envPrefix + "CONFIG"
	// koanf wants a delimiter of nested keys; no setting has one in its name.
	delimiter = "."
)

func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// loader merges the settings of the origins, in order of precedence.
type loader struct {
	settings []Setting
	others   []other // known settings that do not apply
	merged   *koanf.Koanf
	layer    map[string]value // values of the origin that is being read, by the setting's name
	level    string           // the log switch that is on so far
	mistakes Mistakes
}

// Load merges the settings: defaults, then the file that --config or HEXARENA_CONFIG
// names, then the HEXARENA_ variables in environ ("name=value", as from os.Environ), then
// the given flags of fs, which has been set up by [Scope.Flags] and parsed. An empty file
// name stands for no file. The error is of type Mistakes. Even with an error, the values
// can be used to find more mistakes: wrong settings have their defaults.
func (s Scope) Load(fs *pflag.FlagSet, environ []string) (Values, error) {
	return s.load(fs, environ, nil)
}

// load merges the settings; those of a sheet, if it is not nil, come after those of the file.
func (s Scope) load(fs *pflag.FlagSet, environ []string, sheet *sheetFile) (Values, error) {
	var data []byte
	var unreadable *Mistake
	path, origin := fileName(fs, environ)
	if path != "" {
		var err error
		if data, err = readFile(path); err != nil {
			unreadable = &Mistake{
				Key: fileFlag, Value: quote(path), Origin: origin, Fault: err.Error(), Err: err,
			}
		}
	}
	read := func(settings []Setting, others []other) *loader {
		l := newLoader(settings, others)
		if unreadable != nil {
			l.report(unreadable)
		}
		l.add(rawbytes.Provider(data), fileParser{l: l, path: path})
		if sheet != nil {
			l.add(rawbytes.Provider(sheet.data), fileParser{l: l, path: sheet.path, own: sheet.own})
		}
		l.add(env.Provider(delimiter, env.Opt{
			Prefix:        envPrefix,
			EnvironFunc:   func() []string { return environ },
			TransformFunc: l.fromEnv,
		}), nil)
		l.addFlags(fs)
		return l
	}
	chosen, _ := read(s.choosing()).values()
	game := chosen.Text("game")
	l := read(s.settings(game))
	v, err := l.checked()
	for _, one := range s.own(game) { // the game needs them whatever the command is
		if _, has := v.values[one.Name]; !has && indexOf(table, one.Name) < 0 {
			v.values[one.Name] = defaultOf(s.complete(one))
		}
	}
	return v, err
}

// defaultOf returns the default of a setting.
func defaultOf(s Setting) value {
	parsed, ok := s.Kind.Parse(s.Default)
	if !ok {
		panic(fmt.Sprintf("config: %s: the default %q is not accepted", s.Name, s.Default))
	}
	return value{s.Default, defaultOrigin, s.Name, parsed}
}

// newLoader returns a loader that holds the defaults.
func newLoader(settings []Setting, others []other) *loader {
	l := &loader{
		settings: settings, others: others, merged: koanf.New(delimiter), level: string(Verbose),
	}
	values := make(defaults, len(settings))
	for _, s := range settings {
		values[s.Name] = defaultOf(s)
	}
	if err := l.merged.Load(values, nil); err != nil {
		panic(fmt.Sprintf("config: koanf: %v", err))
	}
	return l
}

// defaults is the koanf.Provider of the settings' defaults: all at once, because koanf copies
// what it holds on each addition.
type defaults map[string]any

func (d defaults) Read() (map[string]any, error) { return d, nil }

func (d defaults) ReadBytes() ([]byte, error) { return nil, errors.ErrUnsupported }

func (l *loader) addFlags(fs *pflag.FlagSet) {
	l.add(posflag.ProviderWithFlag(fs, delimiter, nil, l.fromFlag), nil)
}

func (l *loader) values() (Values, error) {
	v := Values{settings: l.settings, values: make(map[string]value, len(l.settings))}
	merged := l.merged.Raw()
	for _, s := range l.settings {
		v.values[s.Name] = merged[s.Name].(value) // the defaults have every setting
	}
	if len(l.mistakes) > 0 {
		return v, l.mistakes
	}
	return v, nil
}

func fileName(fs *pflag.FlagSet, environ []string) (path, origin string) {
	if f := fs.Lookup(fileFlag); f != nil && f.Changed {
		return f.Value.String(), "flag --" + fileFlag
	}
	for _, variable := range environ {
		if name, text, _ := strings.Cut(variable, "="); name == fileVariable {
			path = text
		}
	}
	return path, "environment " + fileVariable
}

// add merges the settings of one origin, which take precedence over those added before.
func (l *loader) add(provider koanf.Provider, parser koanf.Parser) {
	layer := koanf.New(delimiter)
	l.layer = map[string]value{}
	err := layer.Load(provider, parser)
	if err == nil {
		err = l.chooseLevel(layer)
	}
	if err == nil {
		err = l.merged.Merge(layer)
	}
	if err != nil { // the adapters below report and never fail
		panic(fmt.Sprintf("config: koanf: %v", err))
	}
}

// fileParser parses YAML for koanf. Unlike koanf's own parser it knows lines, duplicate
// keys and the text of values.
type fileParser struct {
	*yaml.YAML
	l    *loader
	path string
	own  []string // keys of a sheet that are not settings
}

func (p fileParser) Unmarshal(data []byte) (map[string]any, error) {
	file := "file " + onOneLine(p.path)
	entries, err := parseDocument(data)
	if err != nil {
		p.l.report(
			&Mistake{Key: fileFlag, Value: quote(p.path), Origin: file, Fault: err.Error(), Err: err})
	}
	settings := make(map[string]any)
	for _, e := range entries {
		if slices.Contains(p.own, e.key) {
			continue
		}
		if items := itemsOf(e.node); len(items) > 0 && p.own != nil && !e.twice {
			e.text, e.fault = strings.Join(items, ","), ""
		}
		v := value{Text: e.text, Origin: fmt.Sprintf("%s:%d", file, e.line), Name: e.key}
		if !p.l.known(e.key) {
			fault := removedFault(e.key)
			if fault == "" {
				fault = "unknown setting" +
					Suggest("; the nearest is ", e.key, append(p.l.names(), p.own...))
			}
			p.l.report(&Mistake{Key: e.key, Value: quote(e.text), Origin: v.Origin, Fault: fault})
			continue
		}
		if name, admitted := p.l.admit(v, e.fault, false); name != "" {
			settings[name] = admitted
		}
	}
	return settings, nil
}

// fromEnv returns the koanf entry of a variable with the prefix.
func (l *loader) fromEnv(name, text string) (string, any) {
	if name == fileVariable {
		return "", nil
	}
	for _, known := range l.allNames() {
		if envName(known) == name {
			return l.admit(value{Text: text, Origin: "environment " + name, Name: known}, "", false)
		}
	}
	key := strings.TrimPrefix(name, envPrefix)
	fault := removedFault(strings.ToLower(strings.ReplaceAll(key, "_", "-")))
	if fault == "" {
		fault = "unknown setting"
		if nearest := Suggest("", key, append(l.names(), fileFlag)); nearest != "" {
			fault += "; the nearest is " + envName(nearest)
		}
	}
	l.report(&Mistake{Key: name, Value: quote(text), Origin: "environment", Fault: fault})
	return "", nil
}

// fromFlag returns the koanf entry of a flag. It skips flags that were not given or are
// not settings.
func (l *loader) fromFlag(f *pflag.Flag) (string, any) {
	given, ours := f.Value.(*flagText)
	if !ours || !f.Changed {
		return "", nil
	}
	v := value{Text: given.text, Origin: "flag --" + f.Name, Name: f.Name}
	fault := ""
	if given.times > 1 && !given.setting.Repeats {
		fault = fmt.Sprintf("is given %d times", given.times)
	}
	if l.known(f.Name) {
		return l.admit(v, fault, true)
	}
	if fault != "" {
		l.report(&Mistake{Key: f.Name, Value: quote(v.Text), Origin: v.Origin, Fault: fault})
	}
	return "", nil
}

// admit checks a value and returns its koanf entry, which is empty if the value is a
// mistake. A fault found earlier makes it one.
func (l *loader) admit(v value, fault string, isFlag bool) (string, any) {
	i := slices.IndexFunc(l.settings,
		func(s Setting) bool { return slices.Contains(s.names(), v.Name) })
	if i < 0 {
		l.passOver(v, isFlag)
		return "", nil
	}
	s := l.settings[i]
	kind, _ := s.called(v.Name)
	accepted := false
	if fault == "" {
		v.Parsed, accepted = kind.Parse(v.Text)
	}
	if !accepted {
		l.report(
			&Mistake{Key: v.Name, Value: quote(v.Text), Origin: v.Origin, Fault: fault, Want: kind.Accepts})
		return "", nil
	}
	if first, twice := l.layer[s.Name]; twice {
		l.report(&Mistake{
			Key: v.Name, Value: quote(v.Text), Origin: v.Origin,
			Fault: fmt.Sprintf("is the same setting as %s (%s); leave one of them out", first.Name,
				first.Origin),
		})
		return "", nil
	}
	l.layer[s.Name] = v
	return s.Name, v
}

// passOver ignores the value of a setting that is known but does not apply, or reports it as a
// mistake. In a file and in the environment, a value that is off or empty is not a mistake.
func (l *loader) passOver(v value, isFlag bool) {
	i := slices.IndexFunc(l.others,
		func(o other) bool { return slices.Contains(o.setting.names(), v.Name) })
	o := l.others[i]
	kind, _ := o.setting.called(v.Name)
	parsed, _ := kind.Parse(v.Text)
	if o.fault != "" && (isFlag || !isZero(parsed)) {
		l.report(&Mistake{Key: v.Name, Value: quote(v.Text), Origin: v.Origin, Fault: o.fault})
	}
}

func (l *loader) report(m *Mistake) { l.mistakes = append(l.mistakes, m) }

func (l *loader) known(name string) bool { return slices.Contains(l.allNames(), name) }

// names returns the names that are suggested for a mistyped one.
func (l *loader) names() (names []string) {
	for _, s := range l.settings {
		names = append(names, s.names()...)
	}
	return names
}

// allNames returns the names of all known settings, with their aliases.
func (l *loader) allNames() (names []string) {
	names = l.names()
	for _, o := range l.others {
		names = append(names, o.setting.names()...)
	}
	return names
}
