package netorcai

import (
	"errors"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Limits of the keys that our extensions add to a game logic's answers.
const (
	maxRules      = 64      // characters: a name and a version
	maxReasons    = 1000    // a turn: what pages and recordings keep of it stays small
	maxReasonText = 80      // characters: a line in a table
	maxAction     = 1 << 20 // more than the largest answer has
)

// Reason is why an action had no effect.
type Reason struct {
	PlayerID int
	Action   int // index into the player's actions of the turn; -1: all of them
	Text     string
}

// extras reads the keys that our extensions add to an answer. A key that cannot be read is
// dropped, and err says why.
type extras struct{ err error }

func (x *extras) drop(err error) { x.err = errors.Join(x.err, err) }

func (x *extras) rules(v jsonscan.Value) string {
	text := v.Text()
	if v != nil && !printable(text, maxRules) {
		x.drop(fmt.Errorf("rules: not a text of 1 to %d printable characters", maxRules))
		return ""
	}
	return text
}

func (x *extras) view(v jsonscan.Value) *View {
	if v == nil {
		return nil
	}
	view, err := ParseView(v)
	if err != nil {
		x.drop(err)
		return nil
	}
	return view
}

// scores returns nil if v is nil or dropped.
func (x *extras) scores(v jsonscan.Value, players int) []int64 {
	if v == nil {
		return nil
	}
	list, err := ParseScores(v, players)
	if err != nil {
		x.drop(err)
	}
	return list
}

func (x *extras) reasons(v jsonscan.Value, players int) []Reason {
	if v == nil {
		return nil
	}
	var list []Reason
	err := errors.New("reasons: not an array")
	if v.Kind() == jsonscan.Array {
		list, err = parseReasons(v, players)
	}
	if err != nil {
		x.drop(err)
	}
	return list
}

// ParseScores reads the scores of all players, special players included, by their ids: one
// whole number for each, within ±[MaxSeed], which every language has exactly.
func ParseScores(v jsonscan.Value, players int) ([]int64, error) {
	if v.Kind() != jsonscan.Array {
		return nil, errors.New("scores: not an array")
	}
	list := make([]int64, 0, players)
	for i, v := range v.Elements() {
		x, ok := v.Float()
		switch {
		case i == players:
			return nil, fmt.Errorf("scores: more than %d, the number of players", players)
		case !ok || x != math.Trunc(x) || math.Abs(x) > MaxSeed:
			return nil, fmt.Errorf("scores: member %d is not a whole number within ±%d", i, int64(MaxSeed))
		}
		list = append(list, int64(x))
	}
	if len(list) < players {
		return nil, fmt.Errorf("scores: %d for %d players", len(list), players)
	}
	return list, nil
}

var reasonFields = []string{"player", "text", "action"}

// parseReasons returns the reasons before the first one that cannot be read, and why it cannot.
func parseReasons(v jsonscan.Value, players int) (list []Reason, err error) {
	for i, v := range v.Elements() {
		if i == maxReasons {
			return list, fmt.Errorf("reasons: more than %d", maxReasons)
		}
		f := readFields(v, reasonFields)
		r := Reason{PlayerID: f.integer(), Text: f.text(), Action: -1}
		if f.vals[f.at] != nil {
			r.Action = f.integer()
		}
		switch {
		case f.err != nil:
			return list, fmt.Errorf("reasons: member %d: %w", i, f.err)
		case r.PlayerID < 0 || r.PlayerID >= players:
			return list, fmt.Errorf("reasons: member %d: there is no player %d", i, r.PlayerID)
		case r.Action < -1 || r.Action >= maxAction:
			return list, fmt.Errorf("reasons: member %d: there is no action %d", i, r.Action)
		case !printable(r.Text, maxReasonText):
			return list, fmt.Errorf("reasons: member %d: text: not 1 to %d printable characters", i,
				maxReasonText)
		}
		list = append(list, r)
	}
	return list, nil
}

// printable reports whether s is 1 to limit printable characters: it is shown on one line.
func printable(s string, limit int) bool {
	for _, r := range s {
		if limit--; limit < 0 || !unicode.IsPrint(r) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}
