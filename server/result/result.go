package result

import (
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
)

// Result is how a match went.
type Result struct {
	match.Ending
	Players []Player  // by id; nil if the match did not start
	Digest  string    // SHA-256 of all states, hexadecimal; empty if it was not asked for
	Started time.Time // when the board was set; zero if it was not
	Ended   time.Time
}

// Player is what one player did.
type Player struct {
	match.SeatInfo
	Figures
	Left *Departure // nil: it stayed to the end
}

// Figures are what a player did in numbers.
type Figures struct {
	// from 1, ties share one; 0: a special player, or a game without figures
	Rank int `json:"rank,omitempty"`
	// of the game, such as its score; the first ranks
	Counts  Counts         `json:"counts"`
	Refused map[string]int `json:"refused"` // actions, by reason
	Answers int            `json:"answers"` // turns that it answered
	Skipped int            `json:"skipped"` // turns that ended before it answered
	Missed  int            `json:"missed"`  // turns for which it was not connected
	Time    Quantiles      `json:"time_ms"` // used per turn
	// no deadline held for it, and its time was not measured
	Untimed bool `json:"untimed,omitempty"`

	// First has for reasons of Refused the first such action, as far as the game explains it:
	// turn 3, action 0: "movement": unknown value "up"; it is one of "move", "bomb" or "revive".
	First map[string]string `json:"refused_first,omitempty"`
}

// Departure is a seat that was given up before the match was over.
type Departure struct {
	Step   int // turns that were simulated by then
	Reason string
}

// rank ranks the ordinary players by the first of their counts.
func rank(players []Player) {
	ranks := func(p *Player) bool { return p.Role == match.Player && len(p.Counts) > 0 }
	for i := range players {
		p := &players[i]
		if !ranks(p) {
			continue
		}
		p.Rank = 1
		for k := range players {
			if other := &players[k]; ranks(other) && other.Counts[0].Value > p.Counts[0].Value {
				p.Rank++
			}
		}
	}
}

// Quantiles are times used for answers.
type Quantiles struct {
	P50 Millis `json:"p50"`
	P99 Millis `json:"p99"`
	Max Millis `json:"max"`
}

// Millis is a duration that JSON has in milliseconds.
type Millis time.Duration

// MarshalJSON implements json.Marshaler.
func (m Millis) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m)/float64(time.Millisecond), 'f', 3, 64), nil
}

// Counts are a player's figures, in the game's order.
type Counts []engine.Count

// MarshalJSON implements json.Marshaler: an object, in the game's order.
func (c Counts) MarshalJSON() ([]byte, error) {
	w := jsonscan.Writer{'{'}
	for _, n := range c {
		w.Int(n.Name, n.Value)
	}
	w.Close('}')
	return w, nil
}
