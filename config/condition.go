package config

import (
	"fmt"
	"reflect"
	"strings"
)

// checked returns the values. It reports those that have no effect together with the others.
func (l *loader) checked() (Values, error) {
	v, _ := l.values()
	for _, s := range l.settings {
		one := v.values[s.Name]
		if !one.given() || isZero(one.Parsed) {
			continue
		}
		report := func(format string, args ...any) {
			l.report(
				&Mistake{
					Key: one.Name, Value: quote(one.Text), Origin: one.Origin, Fault: fmt.Sprintf(format, args...),
				},
			)
		}
		if holds, matters := v.holds(s.With, one); matters && !holds {
			report("has no effect without --%s; add that, or leave this out",
				strings.Replace(s.With, "=", " ", 1))
		}
	}
	if tps := v.values["tps"]; tps.given() && isZero(tps.Parsed) && tps.Parsed != nil &&
		v.Text("pace") == string(Timer) {
		l.report(&Mistake{
			Key: tps.Name, Value: quote(tps.Text), Origin: tps.Origin,
			Fault: "is no length for the turns of --pace timer; choose another, or --pace fast",
		})
	}
	return l.values()
}

// holds reports whether a condition holds, and whether it matters for a value. A condition is the
// name of a setting, whose value must not be zero, or name=value.
func (v Values) holds(condition string, of value) (holds, matters bool) {
	if condition == "" {
		return false, false
	}
	name, want, isText := strings.Cut(condition, "=")
	if _, has := v.values[name]; !has {
		return false, false
	}
	got := v.values[name].Parsed
	if isText {
		return got == want, true
	}
	_, isSwitch := got.(bool)
	return !isZero(got), !isSwitch || strings.HasPrefix(of.Origin, "flag ")
}

func isZero(parsed any) bool { return parsed == nil || reflect.ValueOf(parsed).IsZero() }
