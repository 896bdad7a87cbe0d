package event

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// lineUp has the player of each team that is ready, by the team's number.
type lineUp map[int]player

// player is the bot that plays for a team.
type player struct {
	sent    *state.Version // nil: a bot that is connected
	version string         // as rows call it; "": not known
}

// outputDir has a file for each team, with the output of its version in the last match for which one was started.
const outputDir = "output"

// waitingBots are the bots that wait for a seat: their versions, by their keys.
type waitingBots map[string]string

// lineUp returns the players of the teams that are ready, and whether those are all that do not
// rest. hangs reports whether the bot of a key gives no answers, and starts whether a version can be
// started here. A connected bot plays rather than a version that was sent.
func (waiting waitingBots) lineUp(
	s *state.State, hangs func(key string) bool, starts func(*state.Version) bool,
) (line lineUp, all bool) {
	line, all = lineUp{}, true
	for _, t := range s.Teams() {
		if t.Resting || t.Removed {
			continue
		}
		_, connected := waiting[keyOf(t.Number)]
		if p, found := waiting.player(s, t.Number, starts); found {
			line[t.Number] = p
		} else if !connected && !hangs(keyOf(t.Number)) { // else it rests
			all = false
		}
	}
	return line, all
}

// player returns the player of a team. found is false if the team has none.
func (waiting waitingBots) player(
	s *state.State, team int, starts func(*state.Version) bool,
) (p player, found bool) {
	version, connected := waiting[keyOf(team)]
	version = state.Claimed(version)
	v := s.Plays(team)
	if s.Frozen() {
		want := s.FrozenVersion(team)
		digest, isSent := strings.CutPrefix(want, state.UploadPrefix)
		if !isSent {
			return player{version: version}, connected && (want == "" || version == want)
		}
		v, connected = s.Find(team, digest), false
	}
	if connected && !s.Benched(team, version) {
		return player{version: version}, true
	}
	if v == nil || !starts(v) {
		return p, false
	}
	return player{sent: v, version: v.Name()}, true
}

// versions returns the versions of a match's seats. A bot that logged in again may be another one than the line-up has.
func (l lineUp) versions(teams []int, seats int, infos []match.SeatInfo) []string {
	list := make([]string, seats)
	for i, team := range teams {
		list[i] = l[team].version
		for _, info := range infos {
			if l[team].sent == nil && info.Key == keyOf(team) {
				list[i] = state.Claimed(info.Version)
			}
		}
	}
	return list
}

// teamSeat returns the seat of a team.
func (r *Rounds) teamSeat(ctx context.Context, team int, p player) (seat.Spec, error) {
	if p.sent == nil {
		return seat.Spec{Kind: seat.Wait, Key: keyOf(team), Label: r.event.nick(team)}, nil
	}
	one, err := r.opts.Store.Seat(ctx, p.sent.Upload)
	one.Label, one.OneMatch, one.Log = r.event.nick(team), true, r.event.outputFile(team)
	return one, err
}

// outputFile returns the path of the file with the output of a team's version in its last match.
func (e *Event) outputFile(team int) string {
	return filepath.Join(e.dir, outputDir, keyOf(team)+".log")
}
