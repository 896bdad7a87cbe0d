package config

import (
	"errors"
	"testing"
	"time"
)

func TestVariables(t *testing.T) {
	want := []struct {
		name     string
		min, max string
	}{
		{"nb-turns-max", "1", "65535"},
		{"nb-players-max", "1", "1024"},
		{"nb-splayers-max", "0", "1024"},
		{"nb-visus-max", "0", "1024"},
		{"delay-first-turn", "50", "10000"},
		{"delay-turns", "50", "10000"},
	}
	for i, v := range Variables {
		w := want[i]
		if v.Name != w.name || v.Format(v.Min) != w.min || v.Format(v.Max) != w.max {
			t.Errorf("Variables[%d] = %+v, want %+v", i, v, w)
		}
	}
}

func TestVariableParse(t *testing.T) {
	tests := []struct {
		v      Variable
		text   string
		number float64
		err    string
		is     error
	}{
		{turnsMax, "1", 1, "", nil},
		{turnsMax, "0xffff", 65535, "", nil},
		{turnsMax, "010", 8, "", nil},
		{turnsMax, "0", 0, "0 is not in [1,65535]", nil},
		{turnsMax, "0x10000", 0, "65536 is not in [1,65535]", nil},
		{turnsMax, "9223372036854775807", 0, "9223372036854775807 is not in [1,65535]", nil},
		{turnsMax, "9223372036854775808", 0, "does not fit in 64 bits", ErrTooLong},
		{turnsMax, "1.0", 0, "not an integer", ErrNotInteger},
		{turnsMax, "NaN", 0, "not an integer", ErrNotInteger},
		{turnsMax, "", 0, "not an integer", ErrNotInteger},
		{delayTurns, "50.5", 50.5, "", nil},
		{delayTurns, "1e3", 1000, "", nil},
		{delayTurns, "49.90", 0, "49.9 is not in [50,10000]", nil},
		{delayTurns, "+Inf", 0, "+Inf is not in [50,10000]", nil},
		{delayTurns, "NaN", 0, "not a number", ErrNotNumber},
		{delayTurns, "1e999", 0, "does not fit in 64 bits", ErrTooLong},
		{delayTurns, "1s", 0, "not a number", ErrNotNumber},
	}
	for _, tt := range tests {
		number, err := tt.v.Parse(tt.text)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if number != tt.number || got != tt.err || (tt.is != nil && !errors.Is(err, tt.is)) {
			t.Errorf("%s.Parse(%q) = %v, %v, want %v, %s", tt.v.Name, tt.text, number, err, tt.number,
				tt.err)
		}
		var outside *RangeError
		if tt.is == nil && err != nil && !errors.As(err, &outside) {
			t.Errorf("%s.Parse(%q) error is a %T, want a *RangeError", tt.v.Name, tt.text, err)
		}
	}
}

func TestVariableFormat(t *testing.T) {
	tests := []struct {
		v     Variable
		value float64
		want  string
	}{
		{turnsMax, 65535, "65535"},
		{delayTurns, 1000, "1000"},
		{delayTurns, 10000, "10000"},
		{delayTurns, 50.5, "50.5"},
	}
	for _, tt := range tests {
		if got := tt.v.Format(tt.value); got != tt.want {
			t.Errorf("%s.Format(%v) = %s, want %s", tt.v.Name, tt.value, got, tt.want)
		}
	}
}

func TestMillis(t *testing.T) {
	for ms, want := range map[float64]time.Duration{
		50.5: 50500 * time.Microsecond, 1000: time.Second, 99.9: 99900 * time.Microsecond,
	} {
		if got := FromMillis(ms); got != want || ToMillis(got) != ms {
			t.Errorf("FromMillis(%v) = %v and back %v, want %v", ms, got, ToMillis(got), want)
		}
	}
}
