package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/web"
)

// matchCases returns the matches with built-in bots: one in which the bot has the first seat and,
// if the players of the game take turns, one in which it has the last.
func (c *checker) matchCases() []scenario {
	list := []scenario{
		{
			about: "a match with built-in bots",
			play:  func(r *run) error { return builtinMatch{r, 0}.play() },
		},
	}
	if c.Instance.Budget != nil {
		list = append(
			list,
			scenario{
				about: "a match in the last seat",
				play:  func(r *run) error { return builtinMatch{r, c.Instance.Players - 1}.play() },
			},
		)
	}
	for i := range list {
		list[i].fits = func(c *checker) bool { return c.Game.Mix != nil && c.asPlayer }
		list[i].ownStart = true
	}
	return list
}

// builtinMatch is a match on a host in which the bot has the seat at an index, and built-in bots
// have the others.
type builtinMatch struct {
	*run
	index int
}

// play plays the match.
func (m builtinMatch) play() error {
	h, err := host.Open(host.Options{
		Bind: local, Linger: time.Second,
		// it takes in bots that dial in or speak over WebSocket
		Page: &host.Page{Options: web.Options{Address: addressOf(local, 0)}},
	})
	if err != nil {
		return err
	}
	defer h.Shutdown(m.ctx)
	room, err := h.Start(m.ctx, m.spec())
	if err != nil {
		return err
	}
	played := room.Wait()
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	return m.judge(&played.Report().Seats[m.index], played.Reason)
}

// spec describes the match.
func (m builtinMatch) spec() host.Spec {
	players := max(1, m.Instance.Players)
	var seats []seat.Spec
	for _, name := range m.Game.Mix(players) {
		seats = append(seats, seat.Spec{Kind: seat.Builtin, Argument: name, Label: name, Builtin: name})
	}
	if len(m.Game.Builtins) > 0 { // the weakest, which leaves time for the bot
		weakest := m.Game.Builtins[len(m.Game.Builtins)-1].Name
		for i := range seats {
			seats[i].Builtin, seats[i].Label = weakest, weakest
		}
	}
	seats[m.index] = m.Seat
	seats[m.index].Seed = m.Seed
	seat.SetLabels(seats)
	turns := m.Turns
	if m.Instance.Turns != 0 {
		turns = m.Instance.Turns
	}
	return host.Spec{
		Name: m.Game.Name, Game: m.Instance, Settings: match.Settings{Turns: turns, Players: players},
		Pace: m.pace().Pace, Order: match.Seeded, Seed: m.Seed, InOrder: true,
		LeaveEnds: m.Instance.Budget != nil,
		Seats:     seats,
		Bots: seating.Options{
			Options: direct.Options{Builtin: m.Game.NewBuiltin, Patience: m.TurnTimeout},
			HTTTX:   m.Game.BotAPI, Fill: &seating.Once{NeedAll: true},
			Launch: seating.Launch{Timeout: m.StartTimeout, Env: m.Env},
		},
	}
}

// pace returns the pace of the match: no answer may take longer than the bot has.
func (m builtinMatch) pace() match.PaceSpec {
	spec := match.PaceSpec{Limit: m.TurnTimeout}
	if m.Instance.Budget != nil {
		budget := *m.Instance.Budget
		budget.Time = max(budget.Time, m.TurnTimeout)
		spec.Budget = &budget
	}
	return spec
}

// judge returns what the bot did wrong in the match. Refusals that could not be avoided are left
// out.
func (m builtinMatch) judge(s *result.SeatReport, reason string) error {
	for _, line := range s.LastLines {
		m.print(line)
	}
	switch {
	case reason == forfeit+": left" && s.Status == result.Left:
		return failed("left", "%s.", sentence(s.Error))
	case s.Status == result.Crashed:
		return failed("crash", "%s.", sentence(s.Error))
	case s.Status == result.Left && !strings.HasPrefix(reason, forfeit), s.Status == result.Absent:
		return failed("match", "%s: %s.", sentence(string(s.Status)), s.Error)
	case strings.HasPrefix(reason, forfeit) && s.Rank > 1:
		if why := s.First[reason]; why != "" {
			return failed("refused", "It lost by %s; %s.", reason, why)
		}
		return failed("refused", "It lost by %s.", reason)
	case s.Skipped > 0:
		return failed("slow", "It skipped %s; its slowest answer took %v.",
			number(int(s.Skipped), "turn"), time.Duration(s.Time.Max).Round(time.Millisecond))
	}
	refused, first := map[string]int{}, ""
	for _, reason := range s.Refusals() {
		if !slices.Contains(m.Game.Unlucky, reason) {
			refused[reason] = s.Refused[reason]
			if why := s.First[reason]; why != "" && first == "" {
				first = reason + ", " + why
			}
		}
	}
	if what := refusals(refused, first); what != "" {
		return failed("refused", "%s", fmt.Sprintf("Actions were refused: %s.", what))
	}
	return nil
}
