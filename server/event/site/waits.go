package site

import (
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// Waiting describes what a team does.
type Waiting struct {
	Text  string
	Ready bool
	Since time.Duration // for how long it has waited; 0: it does not wait
	Match string        // the id of the match that it plays; "": none
}

// waitingOf describes what a team does, and why it waits if it does. ready are the teams whose bots
// wait; all is true if these are all teams.
func (s *Site) waitingOf(t state.Team, v *event.View, ready []int, all bool) Waiting {
	w := Waiting{Ready: slices.Contains(ready, t.Number), Since: s.Rounds.Tables.Waited(t.Number)}
	table := s.Rounds.Tables.Of(t.Number)
	changed := s.Rounds.Changed(t.Number)
	switch {
	case t.Resting:
		return Waiting{Text: "rests: the operator let it"}
	case table != nil:
		w = Waiting{Text: fmt.Sprintf("plays at table %d of round %d", table.Number, v.Rounds)}
		if table.Feed != nil {
			w.Match = table.Feed.ID()
		}
	case changed != nil && changed.Connected:
		return Waiting{
			Text: "does not play: its bot is another version than the one that was frozen; it " +
				"plays when that one is connected",
		}
	case changed != nil:
		return Waiting{
			Text: "does not play: its last bot was disconnected, as it is another version than " +
				"the one that was frozen; it plays when that one is connected",
		}
	case !w.Ready && s.Rounds.Hangs(t.Number):
		return Waiting{
			Text: "rests: its bot ceased to answer in its last match; it plays on when it " +
				"answers, or when another one connects",
		}
	case !w.Ready:
		if event.Ask(s.Event, func(s *state.State) bool { return s.Versions.Exhausted(t.Number) }) {
			return Waiting{
				Text: fmt.Sprintf(
					"has no bot connected, or one with a version that failed %d matches in a row",
					state.MaxFailures),
			}
		}
		return Waiting{Text: "has no bot connected"}
	default:
		w.Text = "waits " + s.why(t, v, len(ready), all)
	}
	return w
}

// why says why a team whose bot is ready waits.
func (s *Site) why(t state.Team, v *event.View, ready int, all bool) string {
	start, next := s.Rounds.Options().Start, s.Rounds.Next()
	sat := ""
	if v.Round != nil && slices.Contains(v.Round.Waiting, t.Number) {
		sat = fmt.Sprintf("; it had no match in round %d, since their number was odd", v.Round.Number)
	}
	switch playing := len(s.Rounds.Tables.Playing()); {
	case v.Failure != nil:
		return "because the server's disk is full"
	case playing > 0:
		return fmt.Sprintf("until round %d is over: %s still being played",
			v.Rounds, textutil.Counted(playing, "match is", "matches are")) + sat
	case v.FinalOver:
		return "because the final is over, until the operator has rounds go on"
	case v.Paused:
		return "because the operator has paused rounds"
	case ready < 2:
		return "for a second team: a round needs two that are ready"
	case !next.IsZero():
		return "for the next round" + sat
	case start.Ready && !all:
		return fmt.Sprintf("until all teams are ready: %d of %d are; the round waits for the "+
			"others for %v at most", ready,
			event.Ask(s.Event, func(s *state.State) int { return s.Teams.Present() }),
			start.Longest) + sat
	case start.Ready:
		return "for the round that is about to begin"
	}
	return "until the operator begins a round" + sat
}
