//go:build ignore

// The bot of the vectors: it prints each call as a line of JSON on standard error. See
// ../vectors/README.md.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"slices"
	"time"
)

func main() {
	if os.Getenv("BOT_NICKNAME") == "" {
		os.Setenv("BOT_NICKNAME", "vectors")
	}
	Run(newVectors)
}

type vectors struct{ match *Match }

func newVectors(m *Match, initial any) *vectors {
	call := map[string]any{
		"call": "start", "player_id": m.PlayerID, "nb_players": m.NbPlayers,
		"nb_special_players": m.NbSpecialPlayers, "nb_turns_max": m.NbTurnsMax,
		"milliseconds_before_first_turn": milliseconds(m.BeforeFirstTurn),
		"milliseconds_between_turns":     milliseconds(m.BetweenTurns),
		"infos":                          len(m.PlayersInfo), "match": nil, "seed": nil,
		"draw": m.Random.Float64(), "digest": digest(initial),
	}
	if m.Number > 0 {
		call["match"] = m.Number
	}
	if m.Seed >= 0 {
		call["seed"] = m.Seed
	}
	report(call)
	return &vectors{m}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (v *vectors) Turn(state any) []any {
	_, limited := v.match.TimeLeft()
	number := v.match.TurnNumber
	report(
		map[string]any{
			"call": "turn", "number": number, "infos": len(v.match.PlayersInfo), "limited": limited,
			"digest": digest(state),
		},
	)
	if object, ok := state.(map[string]any); ok {
		if text, ok := object["print"].(string); ok {
			fmt.Println(text)
		}
		if text, ok := object["fail"].(string); ok {
			panic(text)
		}
		if requests, ok := object["simulate"].([]any); ok {
			v.simulate(requests)
		}
		if drawn, ok := object["drawn"]; ok {
			draw(drawn)
		}
		if debug, err := json.Marshal(object["debug"]); err == nil {
			_ = json.Unmarshal(debug, &v.match.Debug)
			var names struct{ NaN []string }
			_ = json.Unmarshal(debug, &names)
			for _, name := range names.NaN {
				v.match.Debug.Values[name] = math.NaN()
			}
		}
	}
	return []any{map[string]int{"echo": number}}
}

// simulate makes requests, and reports the position after each, or the mistake.
func (v *vectors) simulate(requests []any) {
	s, err := NewSimulator(v.match, "hexabomb")
	if err != nil {
		panic(err)
	}
	defer s.Close()
	for _, request := range requests {
		for key, value := range request.(map[string]any) {
			switch key {
			case "load":
				err = s.Load()
			case "step":
				err = s.Step(value)
			case "save":
				err = s.Save(value.(string))
			case "restore":
				err = s.Restore(value.(string))
			}
		}
		var state any
		if err == nil {
			err = s.State(&state)
		}
		call := map[string]any{
			"call": "simulate", "turn": s.Turn, "over": s.Over, "winner": s.Winner, "score": s.Score,
			"digest": digest(state),
		}
		if err != nil {
			call = map[string]any{"call": "simulate", "error": err.Error()}
		}
		report(call)
	}
}

// draw reports the numbers in a match that is drawn, in an order.
func draw(drawn any) {
	var how struct {
		Drawing string
		Player  int `json:"player_id"`
		Seed    int
		Bombs   []Bomb
	}
	text, _ := json.Marshal(drawn)
	_ = json.Unmarshal(text, &how)
	m, state := TestMatch(how.Drawing, how.Player, how.Seed, how.Bombs...)
	s, err := NewSimulator(m, "hexabomb")
	if err == nil {
		err = s.Load()
	}
	if err != nil {
		panic(err)
	}
	defer s.Close()
	numbers := []int{m.PlayerID, m.NbPlayers, m.TurnNumber, m.Seed}
	for _, c := range state.Cells {
		numbers = append(numbers, c.Q, c.R, c.Color)
	}
	for _, c := range state.Characters {
		numbers = append(numbers, c.ID, c.Color, c.Q, c.R, c.BombCount)
	}
	for _, b := range state.Bombs {
		numbers = append(numbers, b.Color, b.Range, b.Delay, b.Q, b.R)
	}
	report(map[string]any{"call": "drawn", "numbers": numbers, "score": s.Score})
}

func (*vectors) End(state any, winner int) {
	report(map[string]any{"call": "end", "winner": winner, "digest": digest(state)})
}

func report(call map[string]any) { _ = json.NewEncoder(os.Stderr).Encode(call) }

// digest returns the FNV-1a hash of a state.
func digest(state any) string {
	h := fnv.New32a()
	h.Write(appendValue(nil, state))
	return fmt.Sprintf("%08x", h.Sum32())
}

func appendValue(b []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(b, 'n')
	case bool:
		return append(b, map[bool]byte{true: 't', false: 'f'}[value])
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 'd'), math.Float64bits(value))
	case string:
		return append(append(append(b, 's'), value...), 0xff)
	case []any:
		b = append(b, '[')
		for _, element := range value {
			b = appendValue(b, element)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for _, key := range slices.Sorted(maps.Keys(value)) {
			b = appendValue(appendValue(b, key), value[key])
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("JSON has no %T", value))
}
