package config

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Kind determines how the values of a setting are written and which are accepted.
type Kind struct {
	Type    string   // name of the type in the help, such as "int"
	Accepts string   // accepted values in words, for error messages
	Range   string   // accepted values in short, for the help; empty: the help text says enough
	Words   []string // values that are words, which the shell completes

	Parse func(text string) (value any, ok bool)
	Show  func(value any) string // as YAML
}

// kindOf returns a kind whose values have the type T.
func kindOf[T any](
	typ, accepts string, parse func(text string) (T, bool), show func(T) string,
) Kind {
	return Kind{
		Type: typ, Accepts: accepts,
		Parse: func(text string) (any, bool) {
			v, ok := parse(text)
			return v, ok
		},
		Show: func(v any) string { return show(v.(T)) },
	}
}

func show[T any](value T) string { return fmt.Sprint(value) }

// Integer is the kind of integers from least to most. They may be written as in Go: 16, 0x10, 020.
func Integer(least, most int) Kind {
	return integer(Variable{Min: float64(least), Max: float64(most), Integer: true})
}

func integer(v Variable) Kind {
	return kindOf("int", v.accepts(), func(text string) (int, bool) {
		n, err := v.Parse(text)
		return int(n), err == nil
	}, show[int]).ranged(v.bounds())
}

// seed is the kind of seeds. Their values are of type uint64.
var seed = kindOf("int", "an integer from 0 to 18446744073709551615",
	func(text string) (uint64, bool) {
		n, err := strconv.ParseUint(text, 0, 64)
		return n, err == nil
	}, show[uint64]).ranged("0 to 18446744073709551615")

func (k Kind) ranged(text string) Kind {
	k.Range = text
	return k
}

// Or returns a kind that accepts the values of k, and a word that stands for no value.
func (k Kind) Or(word string) Kind {
	o := k
	o.Words = append(slices.Clone(k.Words), word)
	o.Accepts = word + ", or " + k.Accepts
	if k.Range != "" {
		o.Range = k.Range + ", or " + word
	}
	o.Parse = func(text string) (any, bool) {
		if text == word {
			return nil, true
		}
		return k.Parse(text)
	}
	o.Show = func(v any) string {
		if v == nil {
			return word
		}
		return k.Show(v)
	}
	return o
}

// millis is the kind of durations that are written in milliseconds.
func millis(v Variable) Kind {
	return kindOf("ms", v.accepts()+" (milliseconds)", func(text string) (time.Duration, bool) {
		ms, err := v.Parse(text)
		return FromMillis(ms), err == nil
	}, func(d time.Duration) string { return v.Format(ToMillis(d)) }).ranged(v.bounds())
}

// Bounds of the rate of turns.
const (
	minTPS = 0.001
	maxTPS = 1e6
)

// rate is the kind of intervals that are written as a number per second; 0 stands for no interval.
var rate = kindOf("number", fmt.Sprintf("0, or a number from %v to %.0f", minTPS,
	float64(maxTPS)), func(text string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if f == 0 {
		return 0, err == nil
	}
	return interval(f), err == nil && f >= minTPS && f <= maxTPS
}, func(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	f := float64(time.Second) / float64(d)
	for digits := 0; ; digits++ { // the fewest decimals that give the same interval
		text := strconv.FormatFloat(f, 'f', digits, 64)
		if back, _ := strconv.ParseFloat(text, 64); interval(back) == d || back == f {
			return text
		}
	}
})

func interval(perSecond float64) time.Duration {
	return time.Duration(math.Round(float64(time.Second) / perSecond))
}

// Duration is the kind of durations of at least least; off is zero.
func Duration(least time.Duration) Kind {
	const off = "off"
	accepts := "off, or a duration such as 500ms or 2s"
	if least > 0 {
		accepts = "a duration above zero such as 10s"
	}
	k := kindOf("duration", accepts, func(text string) (time.Duration, bool) {
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
	})
	if least == 0 {
		k.Words = []string{off}
	}
	return k
}

// Bool is the kind of switches.
func Bool() Kind {
	return kindOf("bool", "true or false", func(text string) (bool, bool) {
		on, err := strconv.ParseBool(text)
		return on, err == nil
	}, show[bool])
}

// Choice is the kind of values from a list of words. Their type is string.
func Choice(words ...string) Kind {
	k := kindOf(strings.Join(words, "|"), strings.Join(words,
		" or "), func(text string) (string, bool) {
		return text, slices.Contains(words, text)
	}, show[string])
	k.Words = words
	return k
}

// Text is the kind of any text that fits on a line.
func Text() Kind { return text("printable text", isPrintable) }

// Name is the kind of non-empty texts; accepts describes them.
func Name(accepts string) Kind {
	return text(accepts, func(s string) bool { return s != "" && isPrintable(s) })
}

func text(accepts string, valid func(string) bool) Kind {
	return kindOf("string", accepts, func(text string) (string, bool) {
		return text, valid(text)
	}, strconv.Quote)
}

// address is the kind of addresses to listen on; empty for none.
var address = text("an address with a port of 0 to 65535, such as 127.0.0.1:8080 or :8080, or "+
	"nothing for none", func(s string) bool {
	if s == "" {
		return true
	}
	_, port, err := net.SplitHostPort(s)
	n, numErr := strconv.Atoi(port)
	return isPrintable(s) && err == nil && numErr == nil && n >= 0 && n <= 65535
})

// CheckAddress returns a mistake unless the value of a flag that is no setting is an address to
// listen on, or empty.
func CheckAddress(flag, value string) error {
	if _, ok := address.Parse(value); ok {
		return nil
	}
	return &Mistake{
		Key: flag, Value: quote(value), Origin: "flag --" + flag, Want: address.Accepts,
	}
}

var keep = kindOf("string", KeepAccepts, ParseKeep, show[Keep])

// isPrintable reports whether s can be shown on one line without quoting.
func isPrintable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// Underscores are not allowed in host names, but container names have them.
var hostName = regexp.MustCompile(`^(?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?\.?$`)

func isHost(s string) bool {
	// its zone may be anything
	if _, err := netip.ParseAddr(s); err == nil && isPrintable(s) || s == "" {
		return true
	}
	mistypedAddress := strings.Trim(s, "0123456789.") == ""
	return len(s) <= 253 && hostName.MatchString(s) && !mistypedAddress
}

// ParseNetworks reads IP addresses and networks, separated by spaces, which a checked setting has.
func ParseNetworks(s string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, word := range strings.Fields(s) {
		network, err := netip.ParsePrefix(word)
		if address, wrong := netip.ParseAddr(word); wrong == nil {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, network)
	}
	return list, nil
}

func areNetworks(s string) bool {
	_, err := ParseNetworks(s)
	return err == nil
}

// areHosts reports whether s has host names only, separated by spaces.
func areHosts(s string) bool {
	return isPrintable(s) &&
		!slices.ContainsFunc(strings.Fields(s), func(name string) bool { return !isHost(name) })
}
