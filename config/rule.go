package config

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// rule says how values of a setting are written and which are accepted.
type rule[T any] struct {
	kind    string // for the help of flags
	accepts string // in words, for mistakes
	parse   func(text string) (value T, ok bool)
	show    func(value T) string // as YAML
}

func show[T any](value T) string { return fmt.Sprint(value) }

func integer(v Variable) rule[int] {
	return rule[int]{"int", v.accepts(), func(text string) (int, bool) {
		n, err := v.Parse(text)
		return int(n), err == nil
	}, show[int]}
}

var anySeed = rule[uint64]{"int", "an integer from 0 to 18446744073709551615", func(text string) (uint64, bool) {
	n, err := strconv.ParseUint(text, 0, 64)
	return n, err == nil
}, show[uint64]}

// optional is rule r, or word for a value that is not given.
func optional[T any](word string, r rule[T]) rule[Optional[T]] {
	return rule[Optional[T]]{r.kind, word + ", or " + r.accepts, func(text string) (Optional[T], bool) {
		if text == word {
			return Optional[T]{}, true
		}
		value, ok := r.parse(text)
		return Given(value), ok
	}, func(o Optional[T]) string {
		if !o.Given {
			return word
		}
		return r.show(o.Value)
	}}
}

// given is rule r for a setting that is always given.
func given[T any](r rule[T]) rule[Optional[T]] {
	return rule[Optional[T]]{r.kind, r.accepts, func(text string) (Optional[T], bool) {
		value, ok := r.parse(text)
		return Given(value), ok
	}, func(o Optional[T]) string { return r.show(o.Value) }}
}

func delay(v Variable) rule[time.Duration] {
	return rule[time.Duration]{"ms", v.accepts() + " (milliseconds)", func(text string) (time.Duration, bool) {
		ms, err := v.Parse(text)
		return FromMillis(ms), err == nil
	}, func(d time.Duration) string { return v.Format(ToMillis(d)) }}
}

// duration takes durations of at least least; off is zero.
func duration(accepts string, least time.Duration) rule[time.Duration] {
	const off = "off"
	return rule[time.Duration]{"duration", accepts, func(text string) (time.Duration, bool) {
		if text == off {
			text = "0"
		}
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= least
	}, func(d time.Duration) string {
		if d == 0 {
			return off
		}
		return d.String()
	}}
}

var toggle = rule[bool]{"bool", "true or false", func(text string) (bool, bool) {
	on, err := strconv.ParseBool(text)
	return on, err == nil
}, show[bool]}

func choice[T ~string](choices ...T) rule[T] {
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = string(c)
	}
	return rule[T]{"string", strings.Join(names, " or "), func(text string) (T, bool) {
		return T(text), slices.Contains(choices, T(text))
	}, show[T]}
}

func text(accepts string, valid func(string) bool) rule[string] {
	return rule[string]{"string", accepts, func(text string) (string, bool) {
		return text, valid(text)
	}, strconv.Quote}
}

// isPrintable reports whether s can be shown on one line as it is.
func isPrintable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

func isName(s string) bool { return s != "" && isPrintable(s) }

// Underscores are no part of host names, but of those that containers get.
var hostName = regexp.MustCompile(`^(?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?\.?$`)

func isHost(s string) bool {
	if _, err := netip.ParseAddr(s); err == nil && isPrintable(s) || s == "" { // its zone may be anything
		return true
	}
	mistypedAddress := strings.Trim(s, "0123456789.") == ""
	return len(s) <= 253 && hostName.MatchString(s) && !mistypedAddress
}
