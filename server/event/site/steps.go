package site

import (
	"fmt"
	"net/http"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// Step is a part of the way from the page to the first action of a bot.
type Step struct {
	Name string
	Done bool
	Hint string // what to do while it is not done, or what went wrong
}

// steps returns how far the bots of a team have come. One from the address of a request that was
// not admitted may be the team's, or that of another team behind the same address.
func (s *Site) steps(r *http.Request, v state.TeamView) []Step {
	p, arrival := s.Rounds.Checks.Of(v.Number, r.RemoteAddr)
	if event.Ask(s.Event, func(now *state.State) bool { return now.Versions.Plays(v.Number) != nil }) {
		p.LoggedIn, p.Answered = true, true // in its test match
	}
	list := []Step{
		{Name: "The page is open", Done: true},
		{
			Name: "A bot reaches the server", Done: p.LoggedIn,
			Hint: "Start your bot. If it says that it cannot connect, compare its address with the " +
				"one in the command below; if they are the same, the network may not let bots " +
				"through: use hexarena join, or write the bot in the page.",
		},
		{Name: "It logs in", Done: p.LoggedIn, Hint: "Give the bot the token of the team."},
		{Name: "It answers a turn", Done: p.Answered, Hint: "It waits for its first match, which " +
			"begins with the next round. The state of the team says when."},
		{Name: "An action is accepted", Done: p.Accepted, Hint: "It has not sent any action yet."},
	}
	if arrival.Refused != "" {
		list[1].Hint = fmt.Sprintf("A bot of your network has reached the server and was not "+
			"admitted: %s. If it is yours, give it the token of the team.", arrival.Refused)
	}
	if p.Lapse != "" {
		list[3].Hint = fmt.Sprintf("Its last turn has no answer: %s. A bot answers each TURN with "+
			"a TURN_ACK in time; look at what it printed.", p.Lapse)
	}
	if p.Refusal != "" {
		list[4].Hint = fmt.Sprintf("All its actions were refused, the last one since: %s. The "+
			"report of a match lists them.", p.Refusal)
	}
	for i := range list { // a later step needs the earlier ones
		if i+1 < len(list) && list[i+1].Done {
			list[i].Done = true
		}
		if i > 0 && !list[i-1].Done {
			list[i].Hint = ""
		}
	}
	if c := s.Rounds.Changed(v.Number); c != nil {
		list = append(list, Step{Name: "It is the version that was frozen", Hint: c.Hint()})
	}
	return list
}
