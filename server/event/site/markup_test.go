package site

import (
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
)

// Pages have all their values, each of them escaped: none begins a tag, or ends an attribute.
func TestPagesEscape(t *testing.T) {
	const bad = `"'><script>{{name}}`
	team := state.Place{
		Number: 1, Name: bad, Rank: 1,
		Standing: state.Standing{Team: state.Team{Number: 1, Name: bad}},
	}
	operator := room{
		operates: true, day: day{view: event.View{View: state.View{Message: bad}}},
		result: &state.Result{Teams: []state.Place{team}}, matches: []shownMatch{{1, true, bad}},
		states: map[int]Waiting{1: {Text: bad}}, when: bad, sending: bad,
		setup: rounds.Setup{Map: bad, TurnTimeout: time.Second}, maps: []string{bad},
		problems: []state.Problem{{Team: 1, Match: 1, Text: bad}},
	}
	shown := teamPage{
		TeamView: state.TeamView{
			Place: team, Played: []state.TeamMatch{{Forfeit: bad, Others: []string{bad}}},
			Opponents: []state.Opponent{{Name: bad}},
		},
		Waiting:  Waiting{Text: bad, Since: time.Second, Match: bad},
		Problems: []state.Problem{{Match: 1, Text: bad}},
	}
	own := ownPage{
		Nick: bad, Token: bad, Port: bad, Builtins: []string{bad},
		Binaries:  []Binary{{System: bad, File: bad}},
		Languages: []games.Language{{Language: bad, Name: bad, Command: bad}},
	}
	now, before := shown.live()
	for name, got := range map[string]markup{
		"admin":     operator.mark(),
		"join":      fill("join.html", "declarations", markup(""), "sending", bad),
		"standings": markStandings(operator.result),
		"team":      fill("team.html", "name", bad, "now", now, "before", before),
		"own":       own.own(), "steps": markSteps([]Step{{Name: bad, Hint: bad}}),
	} {
		text := string(got)
		if strings.Contains(text, "<script>") || strings.Contains(text, `"'`) ||
			strings.Contains(text, "%!") {
			t.Errorf("%s is not escaped, or lacks a value:\n%s", name, text)
		}
		if rest := strings.ReplaceAll(text, "&gt;{{name}}", ""); strings.Contains(rest, "{{") {
			t.Errorf("%s has a place that is not filled:\n%s", name, rest)
		}
	}
}
