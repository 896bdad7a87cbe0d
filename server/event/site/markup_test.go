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
	operator := shown{
		View:   event.View{View: state.View{Message: bad}},
		Result: &state.Result{Teams: []state.Place{team}}, Matches: []shownMatch{{1, true, bad}},
		States: map[int]string{1: bad},
		Wait:   bad, Next: 1, Setup: rounds.Setup{Map: bad, TurnTimeout: time.Second},
		Maps:    []string{bad},
		Sending: bad,
	}
	page := teamPage{
		TeamView: state.TeamView{
			Place: team, Played: []state.TeamMatch{{Forfeit: bad, Others: []string{bad}}},
			Opponents: []state.Opponent{{Name: bad}},
		},
		Waiting: Waiting{Text: bad, Since: time.Second, Match: bad},
	}
	own := ownPage{
		Nick: bad, Token: bad, Port: bad, Builtins: []string{bad},
		Binaries:  []Binary{{System: bad, File: bad}},
		Languages: []games.Language{{Language: bad, Name: bad, Command: bad}},
	}
	for name, got := range map[string]markup{
		"admin": wholePage("admin", "admin", operator.admin()),
		"join":  wholePage("join", "join", fill("join.html", "live", bad, "sending", bad)),
		"team":  page.whole(), "own": own.own(), "steps": markSteps([]Step{{Name: bad, Hint: bad}}),
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
