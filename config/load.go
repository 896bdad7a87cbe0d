package config

import (
	"fmt"
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

	// fileVariable is the one variable with our prefix that is no setting: it
	// names the settings file, unless --config does.
	fileVariable = envPrefix + "CONFIG"

	// koanf wants a delimiter of nested keys; no setting has one in its name.
	delimiter = "."
)

func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// value is what koanf holds for a setting.
type value struct {
	Text   string
	Origin string
}

// loader lays the settings of each origin over those of the origins before.
type loader struct {
	keys     []key
	merged   *koanf.Koanf
	level    string // the log switch that is on so far
	mistakes Mistakes
}

// Load puts the settings together: defaults, then the file that --config or
// HEXARENA_CONFIG names, then the HEXARENA_ variables in environ ("name=value",
// as os.Environ gives them), then the flags of fs that were given; fs has been
// set up by [Flags] and parsed. games are the names that the setting game
// takes. An empty file name stands for no file. The error is of type Mistakes.
func Load(fs *pflag.FlagSet, environ, games []string) (*Effective, error) {
	l := newLoader(serveScope(games))
	if path, origin := fileName(fs, environ); path != "" {
		data, err := readFile(path)
		if err != nil {
			l.report(&Mistake{Key: fileFlag, Value: quote(path), Origin: origin, Fault: err.Error(), Err: err})
		}
		l.add(rawbytes.Provider(data), fileParser{l: l, path: path})
	}
	l.add(env.Provider(delimiter, env.Opt{
		Prefix:        envPrefix,
		EnvironFunc:   func() []string { return environ },
		TransformFunc: l.fromEnv,
	}), nil)
	l.addFlags(fs)
	return l.effective()
}

// newLoader makes a loader that holds the defaults.
func newLoader(s scope) *loader {
	l := &loader{keys: s.keys, merged: koanf.New(delimiter), level: string(Verbose)}
	for _, e := range s.defaults {
		if err := l.merged.Set(e.key, value{e.text, "default"}); err != nil {
			panic(fmt.Sprintf("config: koanf: %v", err))
		}
	}
	return l
}

func (l *loader) addFlags(fs *pflag.FlagSet) {
	l.add(posflag.ProviderWithFlag(fs, delimiter, nil, l.fromFlag), nil)
}

func (l *loader) effective() (*Effective, error) {
	if len(l.mistakes) > 0 {
		return nil, l.mistakes
	}
	return newEffective(l.keys, l.merged), nil
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

// add lets the settings from one origin win over those added before.
func (l *loader) add(provider koanf.Provider, parser koanf.Parser) {
	layer := koanf.New(delimiter)
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

// fileParser is koanf's parser of YAML, but knows lines, keys given twice and
// how a value was written.
type fileParser struct {
	*yaml.YAML
	l    *loader
	path string
}

func (p fileParser) Unmarshal(data []byte) (map[string]any, error) {
	file := "file " + onOneLine(p.path)
	entries, err := parseDocument(data)
	if err != nil {
		p.l.report(&Mistake{Key: fileFlag, Value: quote(p.path), Origin: file, Fault: err.Error(), Err: err})
	}
	settings := make(map[string]any)
	for _, e := range entries {
		v := value{Text: e.text, Origin: fmt.Sprintf("%s:%d", file, e.line)}
		k, known := p.l.key(e.key)
		if !known {
			fault := "unknown setting; the nearest is " + nearest(e.key, p.l.names())
			p.l.report(&Mistake{Key: e.key, Value: quote(e.text), Origin: v.Origin, Fault: fault})
			continue
		}
		if name, admitted := p.l.admit(k, v, e.fault); name != "" {
			settings[name] = admitted
		}
	}
	return settings, nil
}

// fromEnv is what koanf makes of a variable with our prefix.
func (l *loader) fromEnv(name, text string) (string, any) {
	if name == fileVariable {
		return "", nil
	}
	for _, k := range l.keys {
		if envName(k.name) == name {
			return l.admit(k, value{text, "environment " + name}, "")
		}
	}
	similar := envName(nearest(strings.TrimPrefix(name, envPrefix), append(l.names(), fileFlag)))
	l.report(&Mistake{Key: name, Value: quote(text), Origin: "environment", Fault: "unknown setting; the nearest is " + similar})
	return "", nil
}

// fromFlag is what koanf makes of a flag. Flags that were not given and flags
// of others are passed over.
func (l *loader) fromFlag(f *pflag.Flag) (string, any) {
	given, ours := f.Value.(*flagText)
	if !ours || !f.Changed {
		return "", nil
	}
	v := value{given.text, "flag --" + f.Name}
	fault := ""
	if given.times > 1 {
		fault = fmt.Sprintf("is given %d times", given.times)
	}
	if k, ok := l.key(f.Name); ok {
		return l.admit(k, v, fault)
	}
	if fault != "" {
		l.report(&Mistake{Key: f.Name, Value: quote(v.Text), Origin: v.Origin, Fault: fault})
	}
	return "", nil
}

// admit judges a value and returns what koanf shall hold: nothing, under no
// name, if it is a mistake. A fault found before makes it one.
func (l *loader) admit(k key, v value, fault string) (string, any) {
	if fault == "" && k.set(new(Config), v.Text) {
		return k.name, v
	}
	l.report(&Mistake{Key: k.name, Value: quote(v.Text), Origin: v.Origin, Fault: fault, Want: k.accepts})
	return "", nil
}

func (l *loader) report(m *Mistake) { l.mistakes = append(l.mistakes, m) }

func (l *loader) key(name string) (key, bool) {
	for _, k := range l.keys {
		if k.name == name {
			return k, true
		}
	}
	return key{}, false
}

func (l *loader) names() []string {
	names := make([]string, len(l.keys))
	for i, k := range l.keys {
		names[i] = k.name
	}
	return names
}
