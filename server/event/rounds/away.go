package rounds

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/offload"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// away is the matches of a round that workers on other machines play: of those in which all teams
// have versions that were sent. Finals are played here, since the screen shows them live.
type away struct {
	*Rounds
	matches *offload.Round // nil: workers play none
}

// offload gives the matches of a round to workers, if there are some.
func (r *Rounds) offload(setup Setup, round *state.Round, line LineUp) *away {
	w := &away{Rounds: r}
	if r.opts.Workers == nil || round.Final {
		return w
	}
	matches := make([]*offload.Match, len(round.Matches))
	for i := range matches {
		matches[i] = w.match(setup, round, i, line)
	}
	turns := cmp.Or(setup.board.Turns, setup.Turns)
	w.matches = r.opts.Workers.Round(offload.Setup{
		Map: setup.Map, Board: setup.board, Turns: setup.Turns, TurnTimeout: setup.TurnTimeout,
		StartTimeout: startPatience,
		Longest:      startPatience + time.Duration(turns)*setup.TurnTimeout + offloadMargin,
	}, matches)
	return w
}

// offloadMargin is the time that a match may take on a worker beside its turns: to start bots on a
// busy machine, to send and to verify it.
const offloadMargin = time.Minute

// match returns a match of a round for workers, nil if a team in it is connected.
func (r *away) match(setup Setup, round *state.Round, i int, line LineUp) *offload.Match {
	m := &offload.Match{Seed: r.seed(round, i)}
	for _, team := range round.Matches[i] {
		p := line[team]
		if p.Sent == nil {
			return nil
		}
		m.Bots = append(m.Bots, offload.Bot{Name: r.event.Nick(team), Version: &p.Sent.Upload})
	}
	for s := len(m.Bots); s < r.event.Seats(); s++ {
		m.Bots = append(m.Bots, offload.Bot{Name: r.filler(round.Number + i + s).Label})
	}
	if setup.board.At != nil {
		m.Places = placesOf(setup.board, round.Number, len(m.Bots))
	}
	return m
}

// play gives a match of a round to a worker, and adds its result to the log. It reports whether it
// did: else the match is to be played here, unless ctx has ended.
func (r *away) play(
	ctx context.Context, setup Setup, round *state.Round, i int, line LineUp,
) (played bool, err error) {
	if r.matches == nil {
		return false, nil
	}
	defer r.Tables.add(round, i, nil)()
	o := r.matches.Play(ctx, i)
	if o == nil {
		return false, nil
	}
	teams, from := round.Matches[i], o.Row
	row := &results.Row{
		Seed: from.Seed, Map: setup.Map, Bots: from.Bots, Scores: from.Scores, Ranks: from.Ranks,
		Refused:  from.Refused,
		Forfeits: from.Forfeits, Digest: from.Digest, Versions: line.versions(teams, len(from.Bots), nil),
	}
	r.keepOutputs(teams, o)
	return true, r.add(ctx, teams, row, r.keepRecording(o))
}

// keepRecording writes the recording of a match that a worker has played, and returns its path. It
// returns "" if the match has no recording, or the disk does not take it: the result counts without
// one.
func (r *away) keepRecording(o *cup.Outcome) string {
	if o.Recorded == nil {
		return ""
	}
	path := filepath.Join(r.event.RecordingsDir(),
		fmt.Sprintf("worker-%d%s", o.Row.K, archive.Extension))
	if err := disk.WriteFile(r.event.Disk(), path, o.Recorded); err != nil {
		r.opts.Log.Warn().Err(err).Str("recording", path).Msg("A match has no recording")
		return ""
	}
	return path
}

// elsewhere is what a team reads before the output of a version that a worker has run.
const elsewhere = "A worker on another machine played the last match. The version printed:\n"

// keepOutputs keeps what the versions printed, for their teams.
func (r *away) keepOutputs(teams []int, o *cup.Outcome) {
	printed := make([][]byte, len(o.Row.Bots))
	copy(printed, o.Outputs)
	for i := range o.Times {
		if t := &o.Times[i]; t.Exit != "" {
			printed[t.Seat-1] = append(printed[t.Seat-1], "\n"+t.Exit+"\n"...)
		}
	}
	_ = r.Outputs.debug(teams) // that of the match before is not the last one's
	for seat, team := range teams {
		text := slices.Concat([]byte(elsewhere), printed[seat])
		if err := r.Outputs.Keep(team, text); err != nil {
			r.opts.Log.Warn().Err(err).Int("team", team).Msg("What a version printed cannot be kept")
		}
	}
}
