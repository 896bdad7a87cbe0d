package cup

import (
	"cmp"
	"errors"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/result"
)

// The kinds of forfeits in the rows of a log. A bot that played to the end has none.
const (
	Absent = results.Absent // it never logged in
	Crash  = "crash"        // it ended with an error before the match did
	Left   = "left"         // it hung up, or was thrown out
	// it missed several turns in a row, after which the match no longer waited for it
	Hung = "hung"
	// it was not started, after MaxFailures consecutive forfeits
	Unstarted = results.Unstarted
)

// MaxFailures is the number of consecutive forfeits after which a bot is not started any more. A
// bot that fails that often fails always, and would cost each match its time to start.
const MaxFailures = 3

// tookPart reports whether a bot was there for some of the match: others rank below all that were.
func tookPart(kind string) bool { return kind != Absent && kind != Unstarted }

// forfeit returns the kind of forfeit that a seat's status means, "" for none.
func forfeit(s result.Status) string {
	switch s {
	case result.Absent:
		return Absent
	case result.Crashed:
		return Crash
	case result.Left:
		return Left
	}
	return ""
}

// ranks returns the rank of each seat, from 1, with ties: those that played to the end by their
// scores, below them those that left, by theirs, and last those that were never there, who tie.
func ranks(scores []int64, forfeits []string) []int {
	class := func(i int) int {
		switch {
		case forfeits[i] == "":
			return 0
		case tookPart(forfeits[i]):
			return 1
		}
		return 2
	}
	better := func(i, j int) bool {
		order := cmp.Compare(class(i), class(j))
		if order == 0 && tookPart(forfeits[i]) {
			order = cmp.Compare(scores[j], scores[i])
		}
		return order < 0
	}
	list := make([]int, len(scores))
	for i := range list {
		list[i] = 1
		for j := range list {
			if better(j, i) {
				list[i]++
			}
		}
	}
	return list
}

// givesUp is the name of the built-in bot that takes the seat of one that is not there. No bot of a
// game has it.
const givesUp = ""

// quitter leaves at the start of a match, so that its seat is that of a bot that crashed there: the
// board and the other seats' places are as if it had come.
type quitter struct{}

var errNotThere = errors.New("the bot is not there")

// Start implements netorcai.Bot.
func (quitter) Start(netorcai.GameStarts) error { return errNotThere }

// Turn implements netorcai.Bot. It is not called.
func (quitter) Turn(netorcai.Turn) ([]byte, error) { return nil, errNotThere }

// End implements netorcai.Bot.
func (quitter) End(netorcai.GameEnds) {}
