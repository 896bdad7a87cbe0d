package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// Games returns a game that has not started, for rules and a map as recorded. The error
// is ErrRules if it does not know the rules.
type Games func(rules string, board []byte) (engine.Game, error)

// ErrRules is the error for rules that are not part of this program.
var ErrRules = errors.New("this program does not have these rules")

// Difference is the first difference between a recording and its replay.
type Difference struct {
	Step     int             // the turn
	Player   engine.PlayerID // engine.NoPlayer if it concerns no single player
	Name     string          // the player's name, if there is a player
	Field    string          // such as "score"
	Recorded string
	Replayed string
}

func (d *Difference) Error() string {
	who := ""
	if d.Player != engine.NoPlayer {
		who = fmt.Sprintf(", player %d (%s)", d.Player, d.Name)
	}
	return fmt.Sprintf("%s%s, %s: recorded %s, replayed %s",
		match.NameShown(d.Step), who, d.Field, d.Recorded,
		d.Replayed)
}

// Replay plays a recording again. With External rules it returns the recorded states.
type Replay struct {
	r      *Reader
	game   engine.Game // nil with External rules
	check  bool        // compare each turn with the recording
	result engine.Result
	inputs []engine.Input
	state  []byte  // empty until it is needed
	tally  []int64 // the recorded one of the last turn, with External rules
	counts []engine.Count
	summer summer
}

// NewReplay returns a replay that compares each turn with what was recorded.
func NewReplay(r *Reader, games Games) (*Replay, error) {
	p := &Replay{r: r, check: true, result: engine.Result{Winner: engine.NoPlayer}}
	h := r.Header()
	if h.Rules == External {
		return p, nil
	}
	game, err := games(h.Rules, h.Map)
	if err != nil {
		return nil, fmt.Errorf("rules %q: %w", h.Rules, err)
	}
	return p, p.start(game)
}

// start begins a game in the replay.
func (p *Replay) start(game engine.Game) (err error) {
	p.game = game
	if p.result, err = game.Start(p.r.header.Setup()); err != nil {
		err = fmt.Errorf("the recorded match cannot start: %w", err)
	}
	return err
}

// Uncheck makes the replay compare nothing, which is faster. With other rules than the recorded
// ones it silently shows another match.
func (p *Replay) Uncheck() { p.check = false }

// Next plays the next turn, beginning with the initial state. At the end, or where the
// file was truncated, the error is io.EOF; otherwise it is a [*DamageError] or a
// [*Difference].
func (p *Replay) Next() (*Turn, error) {
	t, err := p.r.Next()
	if err == io.EOF && p.r.end != nil && p.check {
		return nil, p.checkEnd()
	}
	if err != nil {
		return nil, err
	}
	if p.check {
		if err := p.checkInputs(t); err != nil {
			return nil, err
		}
	}
	p.play(t)
	if p.check {
		err = p.checkTurn(t)
	}
	return t, err
}

// play sets the result and the state of a turn.
func (p *Replay) play(t *Turn) {
	p.state = p.state[:0]
	switch {
	case p.game == nil:
		p.state, p.tally = append(p.state, t.State...), append(p.tally[:0], t.Tally...)
		p.result = engine.Result{Winner: t.Winner, Refused: t.Refused}
	case t.Step > 0:
		p.inputs = p.inputs[:0]
		for i := range t.Inputs {
			p.inputs = append(p.inputs, t.Inputs[i].Input)
		}
		p.result = p.game.Step(p.inputs)
	}
}

// Turns returns an iterator over the turns that Next returns. An error comes last.
func (p *Replay) Turns() iter.Seq2[*Turn, error] { return turns(p.Next) }

// Result returns the result of the last turn.
func (p *Replay) Result() *engine.Result { return &p.result }

// State returns the state after the last turn. It is valid until the next turn is played.
func (p *Replay) State() []byte {
	if len(p.state) == 0 && p.game != nil {
		p.state = p.game.AppendState(p.state)
	}
	return p.state
}

// Game returns the game that is played again, which the next turn changes; nil with External rules.
func (p *Replay) Game() engine.Game { return p.game }

// AppendDelta appends the change made by the last turn, or nothing if the game has none.
func (p *Replay) AppendDelta(dst []byte) []byte {
	if p.game == nil {
		return dst
	}
	return p.game.AppendDelta(dst)
}

// Explain explains a refused action as [engine.Explainer] does; "" if the game is none.
func (p *Replay) Explain(in *engine.Input, r *engine.Refusal) string {
	if game, ok := p.game.(engine.Explainer); ok {
		return game.Explain(in, r)
	}
	return ""
}

// AppendBombers appends the players whose bombs killed characters of victim in the last turn, if
// the game is an [engine.Bomber].
func (p *Replay) AppendBombers(dst []engine.PlayerID, victim engine.PlayerID) []engine.PlayerID {
	if game, ok := p.game.(engine.Bomber); ok {
		return game.AppendBombers(dst, victim)
	}
	return dst
}

// AppendTally appends a player's counts after the last turn; with External rules, the recorded
// ones.
func (p *Replay) AppendTally(dst []engine.Count, id engine.PlayerID) []engine.Count {
	if p.game != nil {
		return p.game.AppendTally(dst, id)
	}
	names := p.r.header.Counts
	for i, name := range names {
		if at := int(id)*len(names) + i; id >= 0 && at < len(p.tally) {
			dst = append(dst, engine.Count{Name: name, Value: p.tally[at]})
		}
	}
	return dst
}

// Reader returns the reader of the recording.
func (p *Replay) Reader() *Reader { return p.r }

func (p *Replay) differ(t *Turn, id engine.PlayerID, field, recorded, replayed string) error {
	d := &Difference{Step: t.Step, Player: id, Field: field, Recorded: recorded, Replayed: replayed}
	if id >= 0 && int(id) < len(p.r.header.Seats) {
		d.Name = p.r.header.Seats[id].Name()
	}
	return d
}

// checkInputs compares the inputs with their recorded checksums.
func (p *Replay) checkInputs(t *Turn) error {
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if sum := p.summer.sum(&in.Input); sum != in.sum {
			return p.differ(t, in.Player, "actions", fmt.Sprintf("with the checksum %08x", in.sum),
				fmt.Sprintf("ones with %08x", sum))
		}
	}
	return nil
}

// checkTurn compares the refused actions, the tallies and the state.
func (p *Replay) checkTurn(t *Turn) error {
	if err := p.checkRefused(t); err != nil {
		return err
	}
	names := len(p.r.header.Counts)
	for id := range p.r.header.Seats {
		p.counts = p.AppendTally(p.counts[:0], engine.PlayerID(id))
		for i, c := range p.counts {
			if i >= names || c.Name != p.r.header.Counts[i] {
				return p.differ(t, engine.PlayerID(id), c.Name, "no such count", strconv.FormatInt(c.Value, 10))
			}
			if recorded := t.Tally[id*names+i]; recorded != c.Value {
				return p.differ(t, engine.PlayerID(id), c.Name, strconv.FormatInt(recorded, 10),
					strconv.FormatInt(c.Value, 10))
			}
		}
	}
	if d := digestOf(p.State()); d != t.Digest && !p.sameState(t) { // which identifies no player
		return p.differ(t, engine.NoPlayer, "digest of the state", t.Digest.String(), d.String())
	}
	return nil
}

// sameState reports whether the recorded state of External rules is the replayed one in another
// notation: earlier versions recorded states as the game logic had written them.
func (p *Replay) sameState(t *Turn) bool {
	return p.game != nil && t.State != nil && digestOf(t.State) == t.Digest &&
		bytes.Equal(netorcai.AppendPlain(nil, t.State, nil), p.State())
}

func (p *Replay) checkRefused(t *Turn) error {
	replayed := p.result.Refused
	if slices.Equal(replayed, t.Refused) {
		return nil
	}
	i := 0
	for i < min(len(replayed), len(t.Refused)) && replayed[i] == t.Refused[i] {
		i++
	}
	id := engine.NoPlayer
	text := func(list []engine.Refusal) string {
		if i >= len(list) {
			return "none"
		}
		id = list[i].Player
		return fmt.Sprintf("input %d, action %d: %s", list[i].Input, list[i].Action, list[i].Reason)
	}
	again := text(replayed)
	recorded := text(t.Refused)
	return p.differ(t, id, "refused actions", recorded, again)
}

// checkEnd compares the winner and the reason. It returns io.EOF if they are equal.
func (p *Replay) checkEnd() error {
	e := p.r.end
	if p.result.Winner == e.Winner && (p.game == nil || p.result.Reason == e.Reason) {
		return io.EOF
	}
	return &Difference{
		Step: e.Turns, Player: engine.NoPlayer, Field: "winner",
		Recorded: fmt.Sprintf("%d %s", e.Winner, e.Reason),
		Replayed: fmt.Sprintf("%d %s", p.result.Winner, p.result.Reason),
	}
}

// Verdict is the result of a verification.
type Verdict struct {
	Turns int  // number of identical turns
	Cut   bool // the file ends before the match
}

// Verify replays a whole recording until ctx ends. It calls progress from time to time;
// progress may be nil. The error is that of [Replay.Next] or ctx's cause.
func Verify(
	ctx context.Context, r *Reader, games Games, progress func(turn int),
) (v Verdict, err error) {
	p, err := NewReplay(r, games)
	if err != nil {
		return v, err
	}
	return p.verify(ctx, progress)
}

// VerifyBy is Verify with a game that has not started and has the rules of the recording, also if
// these are External.
func VerifyBy(
	ctx context.Context, r *Reader, game engine.Game, progress func(turn int),
) (v Verdict, err error) {
	p := &Replay{r: r, check: true}
	if err := p.start(game); err != nil {
		return v, err
	}
	return p.verify(ctx, progress)
}

func (p *Replay) verify(ctx context.Context, progress func(turn int)) (v Verdict, err error) {
	r := p.r
	const interval = 1 << 10 // turns
	for t, err := range p.Turns() {
		if err != nil {
			v.Turns = max(0, r.Step()-1)
			return v, err
		}
		if t.Step%interval == 0 {
			if progress != nil {
				progress(t.Step)
			}
			if err := context.Cause(ctx); err != nil {
				return v, err
			}
		}
	}
	v.Turns, v.Cut = max(0, r.Step()), r.End() == nil || r.End().Cut
	return v, nil
}
