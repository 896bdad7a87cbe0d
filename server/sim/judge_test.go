package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/hexarena/hexarena/engine"
	hexabomb "github.com/hexarena/hexarena/engine/hexabomb/model"
	hextictactoe "github.com/hexarena/hexarena/engine/hextictactoe/model"
)

// judge plays a match once more by the slow, obvious model of its game.
type judge interface {
	step(inputs []engine.Input)
	turn() int
	over() bool                  // by the rules, which may be before the last turn
	awaits(engine.PlayerID) bool // after the newest step
	winner() engine.PlayerID
	refused() (list []engine.Refusal, known bool)
	differs(state []byte) error // nil: the state is the model's
}

// newJudge returns the judge of a match of the plan.
func (p *plan) newJudge(w *World, players int) judge {
	if p.logic != "" {
		return &logicJudge{World: w}
	}
	if p.duel {
		return &duelJudge{model: hextictactoe.New(p.rules(), p.turns)}
	}
	return &bombJudge{hexabomb.New(hexabomb.Board(*board(p.radius, p.players)), players, 0), players}
}

// bombJudge is the judge of hexabomb.
type bombJudge struct {
	*hexabomb.Model
	players int
}

func (j *bombJudge) step(inputs []engine.Input)                   { j.Step(inputs) }
func (j *bombJudge) turn() int                                    { return j.Turn() }
func (j *bombJudge) over() bool                                   { return false }
func (j *bombJudge) awaits(engine.PlayerID) bool                  { return true }
func (j *bombJudge) winner() engine.PlayerID                      { return j.Winner() }
func (j *bombJudge) refused() (list []engine.Refusal, known bool) { return j.Refused(), true }

func (j *bombJudge) differs(state []byte) error {
	want, err := json.Marshal(j.State())
	if err != nil {
		return err
	}
	if j.players >= 10 { // which are aligned
		var s hexabomb.State
		if err := json.Unmarshal(state, &s); err != nil {
			return err
		}
		state, _ = json.Marshal(s)
	}
	if !bytes.Equal(state, want) {
		return fmt.Errorf("the state is %s, want %s", state, want)
	}
	return nil
}

// duelJudge is the judge of hexagonal tic-tac-toe.
type duelJudge struct {
	model *hextictactoe.Model
	steps int
}

func (j *duelJudge) step(inputs []engine.Input) {
	if j.steps++; j.steps > 1 { // which is before any player is asked
		j.model.Step(inputs)
	}
}

func (j *duelJudge) turn() int                                    { return j.steps }
func (j *duelJudge) over() bool                                   { return j.model.Over() }
func (j *duelJudge) awaits(p engine.PlayerID) bool                { return j.model.Awaited() == p }
func (j *duelJudge) winner() engine.PlayerID                      { return j.model.Winner() }
func (j *duelJudge) refused() (list []engine.Refusal, known bool) { return nil, false }

// budget returns the time that the player who is to move has, which without a clock is usual.
func (j *duelJudge) budget(usual time.Duration) time.Duration {
	return cmp.Or(time.Duration(j.model.Left())*time.Microsecond, usual)
}

func (j *duelJudge) differs(state []byte) error {
	var got hextictactoe.State
	if err := json.Unmarshal(state, &got); err != nil {
		return err
	}
	got.Sort()
	if want := j.model.State(); !reflect.DeepEqual(got, want) {
		return fmt.Errorf("the state is %s, want %+v", state, want)
	}
	return nil
}
