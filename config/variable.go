package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Variable is a number that the operator may set, with its range.
type Variable struct {
	Name     string
	Min, Max float64 // inclusive
	Integer  bool
}

// Variables lists the variables that the operator's prompt prints and sets, in its order.
// Delays are in milliseconds. Like netorcai's, the prompt requires at least one player
// although the option accepts none.
var Variables = [...]Variable{
	turnsMax,
	{Name: "nb-players-max", Min: 1, Max: maxSeats, Integer: true},
	specialsMax,
	visusMax,
	delayFirstTurn,
	delayTurns,
}

var (
	turnsMax       = Variable{Name: "nb-turns-max", Min: 1, Max: 65535, Integer: true}
	specialsMax    = Variable{Name: "nb-splayers-max", Min: 0, Max: maxSeats, Integer: true}
	visusMax       = Variable{Name: "nb-visus-max", Min: 0, Max: maxSeats, Integer: true}
	delayFirstTurn = Variable{Name: "delay-first-turn", Min: 50, Max: 10000}
	delayTurns     = Variable{Name: "delay-turns", Min: 50, Max: 10000}
)

// maxSeats is netorcai's limit of seats of a kind.
const maxSeats = 1024

// Errors of Parse, in addition to [RangeError].
var (
	ErrNotInteger = errors.New("not an integer")
	ErrNotNumber  = errors.New("not a number")
	ErrTooLong    = errors.New("does not fit in 64 bits")
)

// RangeError is a number outside its variable's range.
type RangeError struct {
	Variable Variable
	Number   string // in its shortest form, however it was written
}

func (e *RangeError) Error() string {
	v := e.Variable
	return fmt.Sprintf("%s is not in [%s,%s]", e.Number, v.Format(v.Min), v.Format(v.Max))
}

// Parse parses a number and checks its range. Integers may be written as in Go: 16, 0x10,
// 020. The error is a *RangeError if text is a number out of range, and otherwise
// ErrNotInteger, ErrNotNumber or ErrTooLong.
func (v Variable) Parse(text string) (float64, error) {
	number, shown, err := v.read(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, ErrTooLong
	case err != nil && v.Integer:
		return 0, ErrNotInteger
	case err != nil || math.IsNaN(number):
		return 0, ErrNotNumber
	case number < v.Min || number > v.Max:
		return 0, &RangeError{Variable: v, Number: shown}
	}
	return number, nil
}

func (v Variable) read(text string) (number float64, shown string, err error) {
	if v.Integer {
		n, err := strconv.ParseInt(text, 0, 64)
		return float64(n), strconv.FormatInt(n, 10), err
	}
	number, err = strconv.ParseFloat(text, 64)
	return number, v.Format(number), err
}

// Format returns a value of v in its shortest form, such as 1000 or 50.5.
func (v Variable) Format(value float64) string {
	if v.Integer {
		return strconv.FormatInt(int64(value), 10)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// accepts describes the range in words.
func (v Variable) accepts() string {
	kind := "a number"
	if v.Integer {
		kind = "an integer"
	}
	return kind + " from " + v.bounds()
}

func (v Variable) bounds() string { return v.Format(v.Min) + " to " + v.Format(v.Max) }
