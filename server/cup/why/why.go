// Package why explains the results of two bots of a cup against each other by matches that were
// recorded. It asks each bot again what it answered in a match: a bot that now answers otherwise
// differs from itself, so that a comparison turn by turn would show chance. If neither does, it
// shows one bot what the other one was shown, and finds the first turn in which they answer
// otherwise.
package why

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/result"
)

// Options say what is explained.
type Options struct {
	Cup *archive.Cup
	A   string // the names of two bots
	B   string
	// Ask shows a bot what the player with this id was shown in a recording.
	Ask func(ctx context.Context, bot, path string, player int) (*rerun.Report, error)
	// Report returns the report on a recorded match, and the turns that decided between two players.
	Report func(
		ctx context.Context, path string, a, b engine.PlayerID,
	) (*result.Report, []result.Decision, error)
}

// Answer explains the results of A and B.
type Answer struct {
	// Unsteady is the bot that differs from itself, in the turn that Itself names. It is empty if
	// neither does; then Turns says where B answers otherwise than A did.
	Unsteady string `json:"differs_from_itself,omitempty"`
	Itself   *Turn  `json:"itself,omitempty"`
	Turns    []Turn `json:"turns,omitempty"`
	// Matches are those in which A and B were furthest apart, of those with a recording.
	Matches []Match `json:"matches"`
}

// Match is a recorded match of A and B.
type Match struct {
	K      int    `json:"k"`
	File   string `json:"file"`
	Map    string `json:"map"`
	ScoreA int64  `json:"score_a"`
	ScoreB int64  `json:"score_b"`
	RankA  int    `json:"rank_a"`
	RankB  int    `json:"rank_b"`
	Winner string `json:"winner"` // of A and B; empty after a tie
	// Decided are the turns that decided between A and B.
	Decided []result.Decision `json:"decided"`
	// Report is that of hexarena play and hexarena replay show.
	Report *result.Report `json:"report"`
	seatA  int
	seatB  int
}

// Turn is the first turn of a match in which a bot answers otherwise than was recorded.
type Turn struct {
	K                int    `json:"k"`
	File             string `json:"file"`
	Player           int    `json:"player"` // whose answers they are
	rerun.Difference        // its turn is -1 if all answers are the same
	Compared         int    `json:"compared"` // the number of answers
}

const (
	shownMatches = 5 // as many as one looks at
	askedMatches = 3 // each takes the time of a match
)

// Explain returns the answer. It returns an error if no recording of a match of both bots was kept.
func Explain(ctx context.Context, o Options) (*Answer, error) {
	list, err := matches(ctx, o)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf(
			"no recording of a match that both %s and %s played was kept: play the cup with --keep all", o.A,
			o.B)
	}
	answer := &Answer{Matches: list[:min(len(list), shownMatches)]}
	for i := range answer.Matches {
		m := &answer.Matches[i]
		m.Report, m.Decided, err = o.Report(ctx, m.File, engine.PlayerID(m.seatA),
			engine.PlayerID(m.seatB))
		if err != nil {
			return nil, fmt.Errorf("match %d: %w", m.K, err)
		}
	}
	first := &list[0]
	for _, own := range []struct {
		bot    string
		player int
	}{{o.A, first.seatA}, {o.B, first.seatB}} {
		t, err := o.ask(ctx, own.bot, first, own.player)
		if err != nil {
			return nil, err
		}
		if t.Differs() {
			answer.Unsteady, answer.Itself = own.bot, t
			return answer, nil
		}
	}
	for i := range list[:min(len(list), askedMatches)] {
		t, err := o.ask(ctx, o.B, &list[i], list[i].seatA)
		if err != nil {
			return nil, err
		}
		answer.Turns = append(answer.Turns, *t)
	}
	return answer, nil
}

// matches returns the matches of both bots that were recorded, those in which they were furthest
// apart first.
func matches(ctx context.Context, o Options) ([]Match, error) {
	files, err := o.Cup.Recordings()
	if err != nil {
		return nil, err
	}
	var list []Match
	err = o.Cup.Rows(func(row *results.Row, _ []archive.Times) error {
		a, b := slices.Index(row.Bots, o.A), slices.Index(row.Bots, o.B)
		if file := files[row.K]; file != "" && a >= 0 && b >= 0 && results.TookPart(row.Forfeits[a]) &&
			results.TookPart(row.Forfeits[b]) {
			winner := ""
			switch {
			case row.Ranks[a] < row.Ranks[b]:
				winner = o.A
			case row.Ranks[b] < row.Ranks[a]:
				winner = o.B
			}
			list = append(list, Match{
				Winner: winner, K: row.K, File: file, Map: row.Map,
				ScoreA: row.Scores[a], ScoreB: row.Scores[b],
				RankA: row.Ranks[a], RankB: row.Ranks[b], seatA: a, seatB: b,
			})
		}
		return ctx.Err()
	})
	slices.SortStableFunc(list, func(x, y Match) int { return cmp.Compare(y.margin(), x.margin()) })
	return list, err
}

// margin returns how far the bots were apart.
func (m *Match) margin() int64 { return max(m.ScoreA-m.ScoreB, m.ScoreB-m.ScoreA) }

// noTurn is the number of the turn of answers that are all the same.
const noTurn = -1

// Differs reports whether the bot answers otherwise in a turn.
func (t *Turn) Differs() bool { return t.Turn != noTurn }

// ask returns the first turn in which a bot answers otherwise than the player did.
func (o *Options) ask(ctx context.Context, bot string, m *Match, player int) (*Turn, error) {
	r, err := o.Ask(ctx, bot, m.File, player)
	if err != nil {
		return nil, fmt.Errorf("%s, in place of player %d of match %d: %w", bot, player, m.K, err)
	}
	t := &Turn{K: m.K, File: m.File, Player: player, Compared: r.Compared}
	t.Turn = noTurn
	if len(r.Differences) > 0 {
		t.Difference = r.Differences[0]
	}
	return t, nil
}
