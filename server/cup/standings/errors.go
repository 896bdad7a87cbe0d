package standings

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Failure is a bot that did not hold out in a match.
type Failure struct {
	K       int
	Bot     string
	Kind    string   // of the forfeit, such as "crash"
	Turns   int      // that it answered before; 0 if that is not known
	Exit    string   // how its process ended; empty if it has none
	Printed []string // its last lines
}

// ErrorGroup is what several failures of a bot have in common: the kind, and what they printed last
// but for numbers.
type ErrorGroup struct {
	Bot     string   `json:"bot"`
	Kind    string   `json:"kind"`
	Count   int      `json:"count"` // matches
	First   int      `json:"first"` // the number of the first match
	Turns   int      `json:"turns"` // that the bot answered in this match
	Exit    string   `json:"exit"`  // how the process ended in this match
	Printed []string `json:"printed"`

	last int // the number of the last match: a bot that fails in several seats of one fails once
}

// errorGroups are the groups by what their failures have in common.
type errorGroups map[string]*ErrorGroup

// maxErrorGroups bounds the groups. A bot whose failures all differ is summed up in one more group,
// of those that are not told apart.
const maxErrorGroups = 1000

// AddFailure adds a failure. The order of failures decides which one shows what its group has in
// common: the first.
func (s *Standings) AddFailure(f *Failure) {
	if s.errors == nil {
		s.errors = errorGroups{}
	}
	key := strings.Join([]string{f.Bot, f.Kind, trace(f.Printed)}, "\x00")
	g := s.errors[key]
	if g == nil && len(s.errors) >= maxErrorGroups {
		key = strings.Join([]string{f.Bot, f.Kind}, "\x00")
		g = s.errors[key]
	}
	if g == nil {
		g = &ErrorGroup{
			Bot: f.Bot, Kind: f.Kind, First: f.K, Turns: f.Turns, Exit: f.Exit,
			Printed: append([]string{}, f.Printed...),
		}
		s.errors[key] = g
	}
	if g.Count == 0 || g.last != f.K {
		g.Count++
		g.last = f.K
	}
}

// traceHead matches the line with which a report of a crash begins, in the languages that have one.
var traceHead = regexp.MustCompile(`^(Traceback \(most recent call last\)|panic: |fatal error: |thread '.*' panicked|Exception in thread|Unhandled exception|terminate called|==\d+==ERROR)`)

// place matches a line that says where an error was: there the number of the line counts.
var place = regexp.MustCompile(`line \d+|\.\w+:\d+`)

// address and number match what differs between two reports of the same error.
var (
	address = regexp.MustCompile(`0x[0-9a-fA-F]+`)
	number  = regexp.MustCompile(`0x[0-9a-fA-F]+|\d+`)
)

// trace returns what a bot printed about its end, without addresses and numbers that differ each
// time: the last report of a crash, or the last line if no crash was reported.
func trace(printed []string) string {
	from := max(len(printed)-1, 0)
	for i, line := range printed {
		if traceHead.MatchString(line) {
			from = i
		}
	}
	var b strings.Builder
	for _, line := range printed[from:] {
		varies := number
		if place.MatchString(line) {
			varies = address
		}
		b.WriteString(varies.ReplaceAllString(line, "#") + "\n")
	}
	return b.String()
}

// list returns the groups, the most frequent first.
func (e errorGroups) list() []ErrorGroup {
	list := []ErrorGroup{}
	for _, g := range e {
		shown := *g
		shown.last = 0
		list = append(list, shown)
	}
	slices.SortFunc(list, func(a, b ErrorGroup) int {
		return cmp.Or(cmp.Compare(b.Count,
			a.Count), cmp.Compare(a.First, b.First), strings.Compare(a.Bot, b.Bot),
			strings.Compare(a.Kind, b.Kind), slices.Compare(a.Printed, b.Printed))
	})
	return list
}
