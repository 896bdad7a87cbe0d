package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"

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
	revival       hexgrid.Coord // by the draft rules
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
		list, err := parse(in.Actions)
		if err != nil || list == nil {
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

// parse returns the elements of an array, with numbers as they are written.
func parse(text []byte) (list []any, err error) {
	if err := json.Unmarshal(text, &list); err != nil || list == nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	list = nil
	err = d.Decode(&list)
	return list, err
}

func (g *Model) admit(a *Action, v any, given map[int]bool) (reason string) {
	if !a.read(v, g.draft) {
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
	if g.draft && a.movement == "bomb" && (a.reach < 2 || a.reach > 4 || a.delay < 2 || a.delay > 4) {
		return "range or delay out of range"
	}
	given[a.id] = true
	return ""
}

// read reports whether v is well-formed.
func (a *Action) read(v any, draft bool) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	integer := func(key string, to *int) bool {
		n, ok := object[key].(json.Number)
		f, _ := n.Float64()
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
	if a.movement == "revive" && draft {
		plain := regexp.MustCompile(`^-?[0-9]+$`)
		for key, to := range map[string]*int{"revive_q": &a.revival.Q, "revive_r": &a.revival.R} {
			if n, _ := object[key].(json.Number); !integer(key, to) || !plain.MatchString(n.String()) {
				return false
			}
		}
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
		} else if g.held[c.ID] == 0 && !g.draft {
			a.reason = "no bomb left"
		} else if g.bombAt(c.Coord) {
			a.reason = "bomb already here"
		} else if a.reach < 2 || a.reach > limit || a.delay < 2 || a.delay > limit {
			a.reason = "range or delay out of range"
		} else {
			if !g.isSpecial(c.Color) && !g.draft {
				g.held[c.ID]--
			}
			g.bombs = append(g.bombs,
				Bomb{Color: c.Color, Range: a.reach, Delay: a.delay + 1, Coord: c.Coord})
			g.dropped[a.player]++
		}
	case "revive":
		at := c.Coord
		if g.draft {
			at = a.revival
		}
		_, there := g.cells[at]
		if g.specials == 1 {
			a.reason = "no revival in sudden death"
		} else if c.Alive {
			a.reason = "alive"
		} else if c.ReviveDelay != 0 {
			a.reason = "cannot revive yet"
		} else if !there {
			a.reason = "no such cell"
		} else if g.occupied(at) {
			a.reason, a.blocked = "blocked", true
		} else {
			c.Coord, c.Alive, c.ReviveDelay = at, true, -1
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
	return fmt.Sprintf("%d: %d revives at %v", a.index, a.id, a.revival)
}
