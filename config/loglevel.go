package config

import (
	"fmt"
	"slices"

	"github.com/knadh/koanf/v2"
)

// LogLevel determines how much is logged. Each level is a switch of the same name.
type LogLevel string

// The log levels. Quiet keeps warnings and errors.
const (
	Verbose LogLevel = "verbose"
	Quiet   LogLevel = "quiet"
	Debug   LogLevel = "debug"
)

var logSwitches = []string{string(Verbose), string(Quiet), string(Debug)}

// chooseLevel keeps exactly one log switch on. Two switches from one origin are a mistake.
// A switch that is turned on turns off those of earlier origins. If the active switch is
// turned off, verbose is on.
func (l *loader) chooseLevel(layer *koanf.Koanf) error {
	given := make(map[string]value)
	var on, off []string
	for _, name := range logSwitches {
		v, ok := layer.Get(name).(value)
		if !ok {
			continue
		}
		given[name] = v
		if v.Parsed == true {
			on = append(on, name)
		} else {
			off = append(off, name)
		}
	}
	switch {
	case len(on) > 0:
		for _, name := range on[1:] {
			l.report(&Mistake{
				Key: name, Value: quote(given[name].Text), Origin: given[name].Origin,
				Fault: fmt.Sprintf("excludes %s (%s)", on[0], given[on[0]].Origin),
			})
		}
		return l.turnOn(layer, on[0], given[on[0]].Origin)
	case !slices.Contains(off, l.level):
		return nil
	case slices.Contains(off, string(Verbose)):
		v := given[string(Verbose)]
		l.report(&Mistake{
			Key: string(Verbose), Value: quote(v.Text), Origin: v.Origin,
			Fault: "leaves no log level", Want: "quiet or debug turned on instead",
		})
		return nil
	}
	return l.turnOn(layer, string(Verbose), given[l.level].Origin)
}

func (l *loader) turnOn(layer *koanf.Koanf, level, origin string) error {
	l.level = level
	for _, name := range logSwitches {
		on := name == level
		if err := layer.Set(name, value{fmt.Sprint(on), origin, name, on}); err != nil {
			return err
		}
	}
	return nil
}

func (v Values) logLevel() LogLevel {
	for _, name := range logSwitches {
		if v.Bool(name) {
			return LogLevel(name)
		}
	}
	return Verbose // a command without a log
}
