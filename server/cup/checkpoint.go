package cup

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// checkpointRows is usually after how many rows a checkpoint is written. To read that many takes a
// quarter of a second, and to write a checkpoint of many bots a twentieth of one.
const checkpointRows = 10_000

// endRows is the number of rows after which a cup that is over gets a last checkpoint, which spares
// its table and all later readers to read them: as many as take as long to read as a checkpoint to
// write.
const endRows = 1000

// ledgerState is what a ledger knows beside the standings.
type ledgerState struct {
	Failures []int        `json:"failures"`
	Out      []bool       `json:"out"`
	Decided  bool         `json:"decided"`
	Rounds   *roundsState `json:"rounds,omitempty"`
}

// roundsState is what rounds know.
type roundsState struct {
	Number int             `json:"number"`
	First  int             `json:"first"`
	Tables [][]int         `json:"tables"`
	Halves []int           `json:"halves"`
	Pairs  json.RawMessage `json:"pairs"`
}

// Checkpoint returns the state after the rows so far, without their offsets and their digest.
func (l *ledger) Checkpoint() *archive.Checkpoint {
	state := ledgerState{Failures: l.failures, Out: l.out, Decided: l.end.decided}
	if r := l.rounds; r != nil {
		state.Rounds = &roundsState{r.number, r.first, r.tables, r.halves, mustMarshal(r.pairs.state())}
	}
	text, err := l.end.standings.MarshalJSON() // megabytes, which json.Marshal would copy
	if err != nil {
		panic(fmt.Sprintf("the standings of a cup: %v", err))
	}
	return &archive.Checkpoint{
		Plan: l.plan.Digest(), Shard: l.shard, Next: l.next, Standings: text, Play: mustMarshal(state),
	}
}

// mustMarshal returns the JSON of a state, no field of which can fail.
func mustMarshal(state any) json.RawMessage {
	text, err := json.Marshal(state)
	if err != nil {
		panic(fmt.Sprintf("the state of a cup: %v", err))
	}
	return text
}

// restoreLedger returns the ledger at a checkpoint. It returns an error if that is not one of this
// plan.
func restoreLedger(p *plan.Plan, shard plan.Shard, at *archive.Checkpoint) (*ledger, error) {
	l := newLedger(p, shard)
	var state ledgerState
	err := json.Unmarshal(at.Play, &state)
	if err == nil {
		l.end.standings, err = standings.Restore(p, at.Standings)
	}
	if err != nil {
		return nil, err
	}
	if n := len(p.Bots); len(state.Failures) != n || len(state.Out) != n ||
		(state.Rounds != nil) != (l.rounds != nil) {
		return nil, errors.New("the checkpoint is one of another plan")
	}
	l.next, l.failures, l.out, l.end.decided = at.Next, state.Failures, state.Out, state.Decided
	if r := l.rounds; r != nil {
		r.number, r.first = state.Rounds.Number, state.Rounds.First
		r.tables, r.halves = state.Rounds.Tables, state.Rounds.Halves
		return l, json.Unmarshal(state.Rounds.Pairs, r.pairs.state())
	}
	return l, nil
}

// state returns pointers to all that the pairs know.
func (s *swiss) state() any {
	return &struct {
		History *pairing.History `json:"history"`
		Scores  *[]int           `json:"scores"`
	}{s.history, &s.scores}
}

func (l *ladder) state() any {
	return &struct {
		History *pairing.History `json:"history"`
		Skills  *[]rating.Skill  `json:"skills"`
	}{l.history, &l.skills}
}

func (o *knockOut) state() any {
	return &struct {
		Bracket *pairing.Bracket `json:"bracket"`
		Begun   *bool            `json:"begun"`
		Winner  *int             `json:"winner"`
		Over    *bool            `json:"over"`
	}{o.bracket, &o.begun, &o.winner, &o.over}
}

func (g *groups) state() any {
	return &struct {
		Round    *int   `json:"round"`
		Halves   *[]int `json:"halves"`
		KnockOut any    `json:"knock_out"`
	}{&g.round, &g.halves, g.knockOut.state()}
}
