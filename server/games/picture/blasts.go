package picture

import (
	"encoding/json"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// laidBomb is a bomb on the board with its original delay.
type laidBomb struct {
	hexabomb.Bomb
	cell int32
	fuse int
}

// blast is a bomb that exploded in a turn.
type blast struct {
	cell  int32
	color hexabomb.Color
	rays  [6][]int32 // the cells that it covers, by edge, nearest first
}

// trackBombs updates the bombs on the board. The original delay of a bomb is known only from the
// turn in which it was dropped.
func (d *hexabombDrawing) trackBombs(s *hexabomb.State) {
	var now []laidBomb
	for _, b := range s.Bombs {
		cell := d.At(b.Coord)
		if cell < 0 {
			continue
		}
		laid := laidBomb{b, cell, b.Delay}
		for _, old := range d.bombs {
			if old.cell == cell && old.Delay == b.Delay+1 {
				laid.fuse = old.fuse
			}
		}
		now = append(now, laid)
	}
	d.bombs = now
}

// explode determines the bombs that exploded in the step to a state: states list the covered cells
// but not the bombs.
func (d *hexabombDrawing) explode(s *hexabomb.State, m *Moment) {
	d.blasts = d.blasts[:0]
	if len(s.Explosions) == 0 {
		return
	}
	left := map[hexgrid.Coord]bool{}
	for _, b := range s.Bombs {
		left[b.Coord] = true
	}
	gone := map[int32]bool{}
	add := func(at hexgrid.Coord, color hexabomb.Color, reach int) {
		cell := d.At(at)
		if cell < 0 || gone[cell] {
			return
		}
		gone[cell] = true
		b := blast{cell: cell, color: color}
		for e := range b.rays {
			b.rays[e] = d.ray(cell, e, reach)
		}
		d.blasts = append(d.blasts, b)
	}
	for _, b := range d.bombs {
		if b.Delay <= 1 || !left[b.Coord] {
			add(b.Coord, b.Color, b.Range)
		}
	}
	for _, drop := range dropped(s, m) {
		if !left[drop.by.Coord] {
			add(drop.by.Coord, drop.by.Color, drop.reach)
		}
	}
}

type drop struct {
	by    *hexabomb.Character
	reach int
}

// dropped returns the bombs dropped in a turn. A character that drops a bomb stays on its cell.
func dropped(s *hexabomb.State, m *Moment) (list []drop) {
	for i := range m.Inputs {
		var actions []json.RawMessage
		if json.Unmarshal(m.Inputs[i].Actions, &actions) != nil {
			continue
		}
		for k, action := range actions {
			var a struct {
				ID       int    `json:"id"`
				Movement string `json:"movement"`
				Range    int    `json:"bomb_range"`
			}
			if json.Unmarshal(action, &a) != nil || a.Movement != "bomb" || a.ID < 0 ||
				a.ID >= len(s.Characters) {
				continue
			}
			if c := &s.Characters[a.ID]; c.Color.Player() == m.Inputs[i].Player && !refused(m, i, k) {
				list = append(list, drop{c, a.Range})
			}
		}
	}
	return list
}

func refused(m *Moment, input, action int) bool {
	for _, r := range m.Refused {
		if r.Input == input && (r.Action == action || r.Action == -1) {
			return true
		}
	}
	return false
}
