package rerun

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Past is the beginning of a recorded match, from which another match goes on. A match at a time
// may use it.
type Past struct {
	Path    string
	Header  recording.Header
	From    int                              // the turn whose position both matches have
	Answers map[engine.PlayerID]engine.Input // those that were changed in the turn after From

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
var errElsewhere = errors.New(
	"its rules were in another program, which cannot go on from the middle of a match")

// ReadPast reads the turns of a recording up to one, and verifies them. If there are answers, JSON
// arrays of actions by player, the turn after it belongs to the past as well, with these in place
// of the recorded ones. The error names the turns that there are if that is not one of them, or if
// the match was over after it.
func ReadPast(path string, games recording.Games, turn int, answers map[int]string) (*Past, error) {
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
	p := &Past{
		Path: path, Header: *file.Header(), From: turn, Answers: map[engine.PlayerID]engine.Input{},
		used: map[engine.PlayerID]clockUse{},
	}
	byHand := min(len(answers), 1) // turns
	for t, err := range replay.Turns() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		over := replay.Result().Over && t.Step <= turn // a changed turn may lead elsewhere
		if over || t.Step >= p.Header.Turns {
			return nil, wrong("--from: in %s the match of %s was over; choose one from 0 to %d",
				match.NameShown(t.Step), path, match.ShownIn(t.Step-1-byHand))
		}
		if t.Step > 0 {
			p.keep(t)
		}
		if t.Step == turn+byHand {
			return p, p.change(answers)
		}
	}
	return nil, wrong("--from: %s is not in %s, which has turns 0 to %d",
		match.NameShown(turn), path, match.ShownIn(len(p.turns)-byHand))
}

// ReadTimes returns the times of a recorded match, for playing the match again.
func ReadTimes(path string, games recording.Games) (times match.Past, err error) {
	file, err := recording.Open(path)
	if err != nil {
		return times, err
	}
	defer file.Close()
	replay, err := recording.NewReplay(file, games)
	if err != nil {
		return times, fmt.Errorf("%s: %w", path, err)
	}
	p := &Past{used: map[engine.PlayerID]clockUse{}}
	for t, err := range replay.Turns() {
		if err != nil {
			return times, fmt.Errorf("%s: %w", path, err)
		}
		if t.Step > 0 {
			p.keep(t)
		}
	}
	times = p.Match()
	times.TimesOnly = true
	return times, nil
}

// wrong returns an error in what the user asked for.
func wrong(format string, args ...any) error {
	return games.UsageError{Err: fmt.Errorf(format, args...)}
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

// change replaces answers of the last turn.
func (p *Past) change(answers map[int]string) error {
	for id, actions := range answers {
		inputs := p.turns[p.From]
		i := slices.IndexFunc(inputs, func(in engine.Input) bool { return int(in.Player) == id })
		if i < 0 {
			return wrong("--answer: player %d was not asked in %s of %s: choose one of %s", id,
				match.NameShown(p.From), p.Path, playersOf(inputs))
		}
		var list []json.RawMessage
		if err := json.Unmarshal([]byte(actions), &list); err != nil || list == nil {
			return wrong("--answer: %.200q of player %d is not a JSON array of actions", actions, id)
		}
		in := &inputs[i]
		in.Actions, in.Lapse, in.Valid = []byte(strings.TrimSpace(actions)), engine.Answered, true
		p.Answers[in.Player] = *in
	}
	return nil
}

// playersOf lists the players of inputs: "0, 2".
func playersOf(inputs []engine.Input) string {
	var ids []string
	for i := range inputs {
		ids = append(ids, strconv.Itoa(int(inputs[i].Player)))
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), ", ")
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
