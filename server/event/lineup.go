package event

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// lineUp has the player of each team that is ready, by the team's number.
type lineUp map[int]player

// player is the bot that plays for a team.
type player struct {
	sent    *Sent  // nil: a bot that is connected
	version string // as rows call it; "": not known
}

// outputDir has a file for each team, with the output of its version in the last match for which one was started.
const outputDir = "output"

// maxClaimed bounds the version that a connected bot says it is, as rows have it: a digest of 64 digits fits.
const maxClaimed = 64

// claimed returns the version that a connected bot says it is, as rows have it.
func claimed(version string) string {
	if strings.HasPrefix(version, sentPrefix) {
		return ""
	}
	return version[:min(len(version), maxClaimed)]
}

// lineUp returns the players of the teams that are ready, and whether those are all that do not rest. waiting has the
// versions of bots that wait for a seat, by their keys, and hangs reports whether the bot of a key gives no answers. A connected bot plays
// rather than a version that was sent.
func (e *Event) lineUp(waiting map[string]string, hangs func(key string) bool) (line lineUp, all bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	line, all = lineUp{}, true
	for _, t := range e.state.teams {
		if t.Resting || t.Removed {
			continue
		}
		_, connected := waiting[keyOf(t.Number)]
		if p, found := e.playerOf(t.Number, waiting); found {
			line[t.Number] = p
		} else if !connected && !hangs(keyOf(t.Number)) { // else it rests
			all = false
		}
	}
	return line, all
}

// playerOf returns the player of a team. found is false if the team has none. The caller holds mu.
func (e *Event) playerOf(team int, waiting map[string]string) (p player, found bool) {
	version, connected := waiting[keyOf(team)]
	version = claimed(version)
	if e.state.frozen != nil {
		return e.frozenPlayer(team, version, connected)
	}
	if connected && !e.state.rests(team, version) {
		return player{version: version}, true
	}
	if v := e.state.plays(team); e.canStart(v) {
		copied := *v
		return player{sent: &copied, version: v.name()}, true
	}
	return p, false
}

// outOfVersions reports whether a team has no version that plays, since one failed too often.
func (e *Event) outOfVersions(team int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for version := range e.state.failures[team] {
		if e.state.rests(team, version) {
			return e.state.plays(team) == nil
		}
	}
	return false
}

// versions returns the versions of a match's seats. A bot that logged in again may be another one than the line-up has.
func (l lineUp) versions(teams []int, seats int, infos []match.SeatInfo) []string {
	list := make([]string, seats)
	for i, team := range teams {
		list[i] = l[team].version
		for _, info := range infos {
			if l[team].sent == nil && info.Key == keyOf(team) {
				list[i] = claimed(info.Version)
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
	one, err := r.opts.Store.Seat(ctx, p.sent.Version)
	one.Label, one.OneMatch, one.Log = r.event.nick(team), true, r.event.outputFile(team)
	return one, err
}

// outputFile returns the path of the file with the output of a team's version in its last match.
func (e *Event) outputFile(team int) string {
	return filepath.Join(e.dir, outputDir, keyOf(team)+".log")
}
