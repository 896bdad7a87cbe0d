package model

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Action is one element of an array of actions, with its origin.
type Action struct {
	player        engine.PlayerID
	input, index  int
	id            int
	movement      string
	direction     hexgrid.Coord
	reach, delay  int
	reason        string
	done, blocked bool
}

// Read parses the arrays of actions with encoding/json. Those that are refused without being
// tried are among the result.
func (g *Model) Read(inputs []engine.Input) (all []*Action) {
	for i, in := range inputs {
		whole := &Action{player: in.Player, input: i, index: -1, done: true}
		if in.Lapse != engine.Answered {
			continue
		}
		if _, known := g.score[in.Player]; !known {
			whole.reason = "unknown player"
			all = append(all, whole)
			continue
		}
		var list []any
		if err := json.Unmarshal(in.Actions, &list); err != nil || list == nil {
			whole.reason = "unreadable"
			all = append(all, whole)
			continue
		}
		given := map[int]bool{}
		surplus := 0
		for n, v := range list {
			a := &Action{player: in.Player, input: i, index: n}
			a.reason = g.admit(a, v, given)
			if a.done = a.reason != ""; a.done {
				surplus++
			}
			if !a.done || surplus <= 256 {
				all = append(all, a)
			}
		}
	}
	return all
}

func (g *Model) admit(a *Action, v any, given map[int]bool) (reason string) {
	if !a.read(v) {
		return "malformed"
	}
	if a.id < 0 || a.id >= len(g.chars) {
		return "unknown character"
	}
	if g.chars[a.id].Color != Color(a.player)+1 {
		return "not yours"
	}
	if given[a.id] {
		return "one action per character"
	}
	given[a.id] = true
	return ""
}

// read reports whether v is well-formed.
func (a *Action) read(v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	integer := func(key string, to *int) bool {
		f, ok := object[key].(float64)
		*to = int(f)
		return ok && f == math.Floor(f) && f >= -2147483648 && f <= 2147483647
	}
	if !integer("id", &a.id) {
		return false
	}
	a.movement, _ = object["movement"].(string)
	switch a.movement {
	case "move":
		steps := map[any]hexgrid.Coord{
			"x+": {Q: 1, R: 0}, "x-": {Q: -1, R: 0}, "y+": {Q: 1, R: -1},
			"y-": {Q: -1, R: 1}, "z+": {Q: 0, R: -1}, "z-": {Q: 0, R: 1},
		}
		name, _ := object["direction"].(string)
		a.direction, ok = steps[name]
		return ok
	case "bomb":
		return integer("bomb_range", &a.reach) && integer("bomb_delay", &a.delay)
	}
	return a.movement == "revive"
}

// try carries out a, refuses it, or marks it as blocked.
func (g *Model) try(a *Action) {
	a.reason, a.blocked = "", false
	c := &g.chars[a.id]
	switch a.movement {
	case "move":
		to := hexgrid.Coord{Q: c.Q + a.direction.Q, R: c.R + a.direction.R}
		if _, there := g.cells[to]; !c.Alive {
			a.reason = "dead"
		} else if !there {
			a.reason = "no such cell"
		} else if g.occupied(to) {
			a.reason, a.blocked = "blocked", true
		} else {
			c.Coord = to
			g.cells[to] = c.Color
		}
	case "bomb":
		limit := 4
		if g.isSpecial(c.Color) {
			limit = 100
		}
		if !c.Alive {
			a.reason = "dead"
		} else if c.BombCount == 0 {
			a.reason = "no bomb left"
		} else if g.bombAt(c.Coord) {
			a.reason = "bomb already here"
		} else if a.reach < 2 || a.reach > limit || a.delay < 2 || a.delay > limit {
			a.reason = "range or delay out of range"
		} else {
			if !g.isSpecial(c.Color) {
				c.BombCount--
			}
			g.bombs = append(g.bombs, Bomb{Color: c.Color, Range: a.reach, Delay: a.delay + 1, Coord: c.Coord})
			g.dropped[a.player]++
		}
	case "revive":
		if g.specials == 1 {
			a.reason = "no revival in sudden death"
		} else if c.Alive {
			a.reason = "alive"
		} else if c.ReviveDelay != 0 {
			a.reason = "cannot revive yet"
		} else if g.occupied(c.Coord) {
			a.reason, a.blocked = "blocked", true
		} else {
			c.Alive, c.ReviveDelay = true, -1
			g.cells[c.Coord] = c.Color
		}
	}
	a.done = !a.blocked
}

// String returns the content of an action, or of a refused one only the reason.
func (a *Action) String() string {
	if a.reason != "" {
		return fmt.Sprintf("%d %s", a.index, a.reason)
	}
	switch a.movement {
	case "move":
		return fmt.Sprintf("%d: %d moves %v", a.index, a.id, a.direction)
	case "bomb":
		return fmt.Sprintf("%d: %d bombs %d %d", a.index, a.id, a.reach, a.delay)
	}
	return fmt.Sprintf("%d: %d revives", a.index, a.id)
}
