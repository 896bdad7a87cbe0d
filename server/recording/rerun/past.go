package rerun

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Past is the beginning of a recorded match, from which another match goes on. A match at a time may
// use it.
type Past struct {
	Path   string
	Header recording.Header

	turns [][]engine.Input // by their number, without the initial state
	used  map[engine.PlayerID]clockUse
	next  int // the first turn that the match did not ask for yet
}

// clockUse is what a player's turns took.
type clockUse struct {
	time  time.Duration
	moves int
}

// errElsewhere says that rules cannot go on from the middle of a match.
var errElsewhere = errors.New("its rules were in another program, which cannot go on from the middle of a match")

// ReadPast reads the turns of a recording up to one, and verifies them. The error names the turns that
// there are if that is not one of them, or if the match was over after it.
func ReadPast(path string, games recording.Games, turn int) (*Past, error) {
	file, err := recording.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Header().Rules == recording.External {
		return nil, fmt.Errorf("%s: %w", path, errElsewhere)
	}
	replay, err := recording.NewReplay(file, games)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &Past{Path: path, Header: *file.Header(), used: map[engine.PlayerID]clockUse{}}
	for t, err := range replay.Turns() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if replay.Result().Over || t.Step >= p.Header.Turns {
			return nil, fmt.Errorf("after turn %d the match of %s was over; choose one from 0 to %d", t.Step, path, t.Step-1)
		}
		if t.Step > 0 {
			p.keep(t)
		}
		if t.Step == turn {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%d is not a turn of %s, which has those from 0 to %d", turn, path, len(p.turns))
}

// keep keeps the inputs of a turn.
func (p *Past) keep(t *recording.Turn) {
	inputs := make([]engine.Input, len(t.Inputs))
	for i := range t.Inputs {
		in := t.Inputs[i].Input
		in.Actions = bytes.Clone(in.Actions)
		inputs[i] = in
		if in.Lapse == engine.Answered {
			u := p.used[in.Player]
			p.used[in.Player] = clockUse{u.time + time.Duration(in.Micros)*time.Microsecond, u.moves + 1}
		}
	}
	p.turns = append(p.turns, inputs)
}

// Match returns the past of a match.
func (p *Past) Match() match.Past {
	p.next = 0
	return match.Past{Turns: len(p.turns), Inputs: func(step int) []engine.Input {
		p.next = step + 1
		return p.turns[step]
	}}
}

// Over reports whether the match asked for all turns. The match's goroutine calls it, for its pace.
func (p *Past) Over() bool { return p.next >= len(p.turns) }

// Left returns what is left of a player's budget.
func (p *Past) Left(b match.Budget, id engine.PlayerID) match.Budget {
	if u := p.used[id]; b.Lasting {
		b.Time += time.Duration(u.moves)*b.Increment - u.time
	}
	return b
}
