package rounds

import (
	"context"
	"strings"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// LineUp holds the player of each team that is ready, by the team's number.
type LineUp map[int]Player

// Player is the bot that plays for a team.
type Player struct {
	Sent    *state.Version // nil: a bot that is connected
	Version string         // as rows call it; "": not known
}

// waitingBots are the bots that wait for a seat: their versions, by their keys.
type waitingBots map[string]string

// lineUp returns the players of the teams that are ready, and whether those are all that do not
// rest. hangs reports whether the bot of a key gives no answers, and starts whether a version can
// be started here. A connected bot plays rather than a version that was sent.
func (waiting waitingBots) lineUp(
	s *state.State, hangs func(key string) bool, starts func(*state.Version) bool,
) (line LineUp, all bool) {
	line, all = LineUp{}, true
	for _, t := range s.Teams.All() {
		if t.Resting || t.Removed {
			continue
		}
		_, connected := waiting[event.Key(t.Number)]
		if p, found := waiting.player(s, t.Number, starts); found {
			line[t.Number] = p
		} else if !connected && !hangs(event.Key(t.Number)) { // else it rests
			all = false
		}
	}
	return line, all
}

// player returns the player of a team. found is false if the team has none.
func (waiting waitingBots) player(
	s *state.State, team int, starts func(*state.Version) bool,
) (p Player, found bool) {
	version, connected := waiting[event.Key(team)]
	version = state.Claimed(version)
	v := s.Versions.Plays(team)
	if s.Versions.Frozen() {
		want := s.Versions.FrozenVersion(team)
		digest, isSent := strings.CutPrefix(want, state.UploadPrefix)
		if !isSent {
			return Player{Version: version}, connected && (want == "" || version == want)
		}
		v, connected = s.Versions.Find(team, digest), false
	}
	if connected && !s.Versions.Benched(team, version) {
		return Player{Version: version}, true
	}
	if v == nil || !starts(v) {
		return p, false
	}
	return Player{Sent: v, Version: v.Name()}, true
}

// versions returns the versions of a match's seats. A bot that logged in again may be another one
// than the line-up has.
func (l LineUp) versions(teams []int, seats int, infos []match.SeatInfo) []string {
	list := make([]string, seats)
	for i, team := range teams {
		list[i] = l[team].Version
		for _, info := range infos {
			if l[team].Sent == nil && info.Key == event.Key(team) {
				list[i] = state.Claimed(info.Version)
			}
		}
	}
	return list
}

// teamSeat returns the seat of a team.
func (r *Rounds) teamSeat(ctx context.Context, team int, p Player) (seat.Spec, error) {
	if p.Sent == nil {
		return seat.Spec{Kind: seat.Wait, Key: event.Key(team), Label: r.event.Nick(team)}, nil
	}
	one, err := r.opts.Store.Seat(ctx, p.Sent.Upload)
	one.Label, one.OneMatch, one.Log = r.event.Nick(team), true, r.Outputs.file(team)
	return one, err
}
