package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// report is what a game logic says of a match beside its states, by the optional keys of its
// answers.
type report struct {
	rules   string
	view    *netorcai.View // nil: the game cannot be drawn
	scores  []int64        // by player id; nil: the match has none
	refused []engine.Refusal

	inputs map[engine.PlayerID]int // the last answer of each player in the turn that is played
	texts  map[string]string       // the reasons so far, each once
	told   bool                    // what was dropped is in the log
}

// maxTexts bounds the different reasons of a match: reports and recordings count actions by reason.
const maxTexts = 64

// otherReason stands for the reasons beyond maxTexts.
const otherReason = "another reason"

// begin reads the optional keys of a DO_INIT_ACK. A match has scores if there are some now.
// The error says what was dropped.
func (r *report) begin(ack *netorcai.DoInitAck, players int) error {
	r.rules, r.view, r.scores = ack.Rules, ack.View, ack.Scores
	dropped := ack.Dropped
	if r.scores == nil {
		scores, err := r.scoresIn(ack.State, players)
		r.scores, dropped = scores, errors.Join(dropped, err)
	}
	return dropped
}

// turn reads the optional keys of a DO_TURN_ACK. Without scores those of the turn before stay.
// The error says what was dropped.
func (r *report) turn(ack *netorcai.DoTurnAck, players int) error {
	dropped := ack.Dropped
	scores := ack.Scores
	switch {
	case scores != nil && r.scores == nil:
		scores = nil
		dropped = errors.Join(dropped,
			errors.New("scores: DO_INIT_ACK had none; send them there as well"))
	case scores == nil && r.scores != nil:
		var err error
		scores, err = r.scoresIn(ack.State, players)
		dropped = errors.Join(dropped, err)
	}
	if scores != nil {
		r.scores = scores
	}
	r.refused = r.refused[:0]
	for _, reason := range ack.Reasons {
		player := engine.PlayerID(reason.PlayerID)
		input, answered := r.inputs[player]
		if !answered {
			dropped = errors.Join(dropped,
				fmt.Errorf("reasons: player %d has no actions in this turn", player))
			continue
		}
		r.refused = append(
			r.refused,
			engine.Refusal{
				Player: player, Input: input, Action: reason.Action, Reason: r.textOf(reason.Text),
			},
		)
	}
	return dropped
}

// scoresIn returns the scores that the view finds in a state, or nil if it names none.
func (r *report) scoresIn(state []byte, players int) ([]int64, error) {
	if r.view == nil || r.view.Scores == "" {
		return nil, nil
	}
	return r.view.ScoresIn(state, players)
}

// textOf returns a reason, or otherReason if the match has too many.
func (r *report) textOf(text string) string {
	if known, ok := r.texts[text]; ok {
		return known
	}
	if len(r.texts) >= maxTexts {
		return otherReason
	}
	r.texts[text] = text
	return text
}

// maxDroppedText bounds the text of what was dropped, in bytes: a game logic may send a thousand
// reasons.
const maxDroppedText = 500

// note logs what was dropped of the answers of a game logic, the first time only: the same
// mistake may be in every turn. The caller holds mu.
func (l *Logic) note(dropped error) {
	if dropped == nil || l.reported.told {
		return
	}
	l.reported.told = true
	what := textutil.Clip(strings.ReplaceAll(dropped.Error(), "\n", "; "), maxDroppedText)
	l.log.Warn().Str("dropped", what).Msg(
		"Game logic sent keys that cannot be used; they are dropped, and further ones without a line")
}

// Rules implements match.Logic: the name that the game logic gave, or an empty string.
func (l *Logic) Rules() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reported.rules
}

// View implements match.Logic.
func (l *Logic) View() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reported.view == nil {
		return nil
	}
	return l.reported.view.AppendJSON(nil)
}

// AppendTally implements match.Logic.
func (l *Logic) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p < 0 || int(p) >= len(l.reported.scores) {
		return dst
	}
	return append(dst, engine.Count{Name: "score", Value: l.reported.scores[p]})
}
