package config

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"
)

// Values holds the value of each setting of a command, and where it comes from. A setting of the
// game that the command does not have has its default. For other settings the getters return the
// zero value.
type Values struct {
	settings []Setting
	values   map[string]value // by the setting's name
}

// value is the value of a setting.
type value struct {
	Text   string // as it was written
	Origin string // "default", "file arena.yaml:12", "environment HEXARENA_PORT" or "flag --port"
	Name   string // under which it was given: the setting's name or an alias
	Parsed any    // nil: not given, where the setting may be left to the program
}

// defaultOrigin is the origin of values that were not given.
const defaultOrigin = "default"

// Text returns the value of a setting whose values are texts.
func (v Values) Text(name string) string { return get[string](v, name) }

// Int returns the value of a setting whose values are integers.
func (v Values) Int(name string) int { return get[int](v, name) }

// Bool reports whether a switch is on.
func (v Values) Bool(name string) bool { return get[bool](v, name) }

// Duration returns the value of a setting whose values are durations.
func (v Values) Duration(name string) time.Duration { return get[time.Duration](v, name) }

// Given reports whether the value comes from a file, the environment or a flag.
func (v Values) Given(name string) bool { return v.values[name].given() }

func (v value) given() bool { return v.Origin != defaultOrigin && v.Origin != "" }

// Names returns the names of the settings.
func (v Values) Names() (names []string) {
	for _, s := range v.settings {
		names = append(names, s.Name)
	}
	return names
}

// Origin returns the origin of the value of a setting: "default", "file arena.yaml:12",
// "environment HEXARENA_PORT" or "flag --port", or "" if there is no such setting.
func (v Values) Origin(name string) string { return v.values[name].Origin }

// Mistake returns an error about the value of a setting. It is for checks that only the code that
// uses the setting can make, such as whether a map exists.
func (v Values) Mistake(name, format string, args ...any) error {
	one := v.values[name]
	err := fmt.Errorf(format, args...)
	return &Mistake{
		Key: one.Name, Value: quote(one.Text), Origin: one.Origin, Fault: err.Error(), Err: err,
	}
}

// With returns the values with another one for a setting whose values are texts, which the command
// need not have.
func (v Values) With(name, text string) Values {
	v.values = maps.Clone(v.values)
	v.values[name] = value{Text: text, Origin: defaultOrigin, Name: name, Parsed: text}
	return v
}

// Give is like With, and the value counts as given at that origin.
func (v Values) Give(name, text, origin string) Values {
	v = v.With(name, text)
	one := v.values[name]
	one.Origin = origin
	v.values[name] = one
	return v
}

// Arguments returns the flags that give the same values again, without the settings in except.
func (v Values) Arguments(except ...string) (words []string) {
	for _, s := range v.settings {
		one := v.values[s.Name]
		if !one.given() || slices.Contains(except, s.Name) {
			continue
		}
		text := one.Text
		if one.Name != s.Name {
			text = s.Kind.Show(one.Parsed)
		}
		switch {
		case s.Kind.Type != "bool":
			words = append(words, "--"+s.Name, text)
		case one.Parsed == true:
			words = append(words, "--"+s.Name)
		default:
			words = append(words, "--"+s.Name+"=false")
		}
	}
	return words
}

func get[T any](v Values, name string) T {
	t, _ := optional[T](v, name)
	return t
}

// optional returns the value of a setting, and reports whether there is one. It panics if the
// values of the setting have another type.
func optional[T any](v Values, name string) (t T, given bool) {
	if one := v.values[name]; one.Parsed != nil {
		return one.Parsed.(T), true
	}
	return t, false
}

// Shown is a value, and where it comes from.
type Shown struct {
	Value  string `json:"value"` // as it was written
	Origin string `json:"origin"`
}

// Shown returns all values by the names under which they were given.
func (v Values) Shown() map[string]Shown {
	shown := map[string]Shown{}
	for _, one := range v.values {
		shown[one.Name] = Shown{one.Text, one.Origin}
	}
	return shown
}

// Print writes the values as a settings file, with the origin of each in a comment. A value that
// was given under an alias is written in the same way.
func (v Values) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range v.settings {
		one := v.values[s.Name]
		kind, _ := s.called(one.Name)
		fmt.Fprintf(tw, "%s: %s\t# %s\n", one.Name, kind.Show(one.Parsed), one.Origin)
	}
	return tw.Flush()
}
