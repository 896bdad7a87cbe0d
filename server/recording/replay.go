package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/engine"
)

// Games makes a game that has not started, of rules and a map as recorded. It
// fails with ErrRules when it does not know the rules.
type Games func(rules string, board []byte) (engine.Game, error)

// ErrRules is rules that this program does not have.
var ErrRules = errors.New("this program does not have these rules")

// Difference is where a recording and what it replays to part.
type Difference struct {
	Step     int             // the turn
	Player   engine.PlayerID // engine.NoPlayer: no single one
	Name     string          // the player's, if there is one
	Field    string          // such as "score"
	Recorded string
	Replayed string
}

func (d *Difference) Error() string {
	who := ""
	if d.Player != engine.NoPlayer {
		who = fmt.Sprintf(", player %d (%s)", d.Player, d.Name)
	}
	return fmt.Sprintf("turn %d%s, %s: recorded %s, replayed %s", d.Step, who, d.Field, d.Recorded, d.Replayed)
}

// Replay plays a recording again and holds each turn against what was recorded.
// Of External rules, it shows the recorded states.
type Replay struct {
	r      *Reader
	game   engine.Game // nil: External
	result engine.Result
	inputs []engine.Input
	state  []byte
	counts []engine.Count
	summer summer
}

// NewReplay sets the board of the match that r is to read.
func NewReplay(r *Reader, games Games) (*Replay, error) {
	p := &Replay{r: r, result: engine.Result{Winner: engine.NoPlayer}}
	h := r.Header()
	if h.Rules == External {
		return p, nil
	}
	var err error
	if p.game, err = games(h.Rules, h.Map); err != nil {
		return nil, fmt.Errorf("rules %q: %w", h.Rules, err)
	}
	if p.result, err = p.game.Start(h.Setup()); err != nil {
		return nil, fmt.Errorf("the recorded match cannot start: %w", err)
	}
	return p, nil
}

// Next plays the next turn; the first one is the board as it was set. The error
// is io.EOF at the end, cut or not, a [*DamageError] or a [*Difference].
func (p *Replay) Next() (*Turn, error) {
	t, err := p.r.Next()
	if err == io.EOF && p.r.end != nil {
		return nil, p.checkEnd()
	}
	if err != nil {
		return nil, err
	}
	if err := p.checkInputs(t); err != nil {
		return nil, err
	}
	if p.game == nil {
		p.state = append(p.state[:0], t.State...)
		p.result = engine.Result{Winner: t.Winner}
		return t, p.checkState(t)
	}
	if t.Step > 0 {
		p.inputs = p.inputs[:0]
		for i := range t.Inputs {
			p.inputs = append(p.inputs, t.Inputs[i].Input)
		}
		p.result = p.game.Step(p.inputs)
	}
	p.state = p.game.AppendState(p.state[:0])
	return t, p.checkTurn(t)
}

// Turns are those that Next plays, up to the end. An error comes with the last.
func (p *Replay) Turns() iter.Seq2[*Turn, error] { return turns(p.Next) }

// Result is what the last turn led to.
func (p *Replay) Result() *engine.Result { return &p.result }

// State is the state after the last turn, valid until the next.
func (p *Replay) State() []byte { return p.state }

// Reader is what is replayed.
func (p *Replay) Reader() *Reader { return p.r }

func (p *Replay) differ(t *Turn, id engine.PlayerID, field, recorded, replayed string) error {
	d := &Difference{Step: t.Step, Player: id, Field: field, Recorded: recorded, Replayed: replayed}
	if id >= 0 && int(id) < len(p.r.header.Seats) {
		d.Name = p.r.header.Seats[id].Name()
	}
	return d
}

// checkInputs finds inputs that are not those that were recorded: their own
// checksums go along with them.
func (p *Replay) checkInputs(t *Turn) error {
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if sum := p.summer.sum(&in.Input); sum != in.sum {
			return p.differ(t, in.Player, "actions", "with the checksum "+hexOf(in.sum), "ones with "+hexOf(sum))
		}
	}
	return nil
}

func hexOf(v uint32) string { return string(appendHex32(nil, v)) }

func (p *Replay) checkTurn(t *Turn) error {
	if err := p.checkRefused(t); err != nil {
		return err
	}
	names := len(p.r.header.Counts)
	for id := range p.r.header.Seats {
		p.counts = p.game.AppendTally(p.counts[:0], engine.PlayerID(id))
		for i, c := range p.counts {
			if i >= names || c.Name != p.r.header.Counts[i] {
				return p.differ(t, engine.PlayerID(id), c.Name, "no such figure", strconv.FormatInt(c.Value, 10))
			}
			if recorded := t.Tally[id*names+i]; recorded != c.Value {
				return p.differ(t, engine.PlayerID(id), c.Name, strconv.FormatInt(recorded, 10), strconv.FormatInt(c.Value, 10))
			}
		}
	}
	return p.checkState(t)
}

func (p *Replay) checkRefused(t *Turn) error {
	replayed := p.result.Refused
	if slices.Equal(replayed, t.Refused) {
		return nil
	}
	for i := range max(len(replayed), len(t.Refused)) {
		recorded, again := "none", "none"
		id := engine.NoPlayer
		if i < len(replayed) {
			again, id = refusalText(&replayed[i]), replayed[i].Player
		}
		if i < len(t.Refused) {
			recorded, id = refusalText(&t.Refused[i]), t.Refused[i].Player
		}
		if recorded != again {
			return p.differ(t, id, "refused actions", recorded, again)
		}
	}
	return nil
}

func refusalText(r *engine.Refusal) string {
	return fmt.Sprintf("input %d, action %d: %s", r.Input, r.Action, r.Reason)
}

// checkState compares the digests, which name nobody.
func (p *Replay) checkState(t *Turn) error {
	if d := digestOf(p.state); d != t.Digest {
		return p.differ(t, engine.NoPlayer, "digest of the state", t.Digest.String(), d.String())
	}
	return nil
}

// checkEnd compares who won.
func (p *Replay) checkEnd() error {
	e := p.r.end
	if p.result.Winner == e.Winner && (p.game == nil || p.result.Reason == e.Reason) {
		return io.EOF
	}
	return &Difference{
		Step: e.Turns, Player: engine.NoPlayer, Field: "winner",
		Recorded: fmt.Sprintf("%d %s", e.Winner, e.Reason), Replayed: fmt.Sprintf("%d %s", p.result.Winner, p.result.Reason),
	}
}

// Verdict is what a verification found.
type Verdict struct {
	Turns int  // that are identical
	Cut   bool // the file ends before the match
}

// Verify replays all of a recording. It is told to stop by ctx, and tells of its
// progress now and then; progress may be nil. The error is that of
// [Replay.Next], or the context's.
func Verify(ctx context.Context, r *Reader, games Games, progress func(turn int)) (v Verdict, err error) {
	p, err := NewReplay(r, games)
	if err != nil {
		return v, err
	}
	const often = 1 << 10
	for t, err := range p.Turns() {
		if err != nil {
			v.Turns = max(0, r.Step()-1)
			return v, err
		}
		if t.Step%often == 0 {
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
