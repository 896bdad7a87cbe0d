package bots

import (
	"strconv"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Limits of a bomb's range and delay. Special players have other limits than ordinary ones.
const (
	minBomb        = 2
	maxBomb        = 4
	maxSpecialBomb = 100
)

// orders writes the answer to a turn. Each order is applied to the board at once, as if
// it could not fail, so that later decisions take it into account. A character takes at
// most one order.
type orders struct {
	b     *board
	dst   []byte
	start int
	given []bool // by index into the board's characters
}

// begin starts an answer appended to dst.
func (o *orders) begin(b *board, dst []byte) {
	o.b, o.start = b, len(dst)
	o.dst = append(dst, '[')
	o.given = unset(o.given, len(b.characters))
}

// end completes the answer, a JSON array, and returns it.
func (o *orders) end() []byte { return append(o.dst, ']') }

// waiting reports whether the i-th character is ours and has no order yet.
func (o *orders) waiting(i int) bool {
	return !o.given[i] && o.b.mine(o.b.characters[i].color)
}

// ready reports whether a waiting character is also alive.
func (o *orders) ready(i int) bool { return o.waiting(i) && o.b.characters[i].alive }

// revive revives all characters that can be revived. By the draft rules this is possible on any
// cell, which choose returns unless it is nil.
func (o *orders) revive(choose func(b *board) cell) {
	if o.b.SuddenDeath() {
		return
	}
	for i := range o.b.characters {
		ch := &o.b.characters[i]
		if !o.waiting(i) || ch.alive || ch.revive != 0 {
			continue
		}
		to := ch.at
		if o.b.draft && choose != nil {
			to = choose(o.b)
		}
		if !o.b.free(to) {
			continue
		}
		o.write(i, "revive")
		if o.b.draft {
			o.dst = append(o.dst, `,"revive_q":`...)
			o.dst = strconv.AppendInt(o.dst, int64(o.b.coords[to].Q), 10)
			o.dst = append(o.dst, `,"revive_r":`...)
			o.dst = strconv.AppendInt(o.dst, int64(o.b.coords[to].R), 10)
		}
		o.dst = append(o.dst, '}')
		ch.alive, ch.revive = true, -1
		o.enter(i, to)
	}
}

// move moves a ready character one cell if that cell is free.
func (o *orders) move(i int, d hexgrid.Dir) {
	ch := &o.b.characters[i]
	to := o.b.next[ch.at][d]
	if !o.b.free(to) {
		return
	}
	o.write(i, "move")
	o.dst = append(o.dst, `,"direction":"`...)
	o.dst = append(o.dst, d.String()...)
	o.dst = append(o.dst, `"}`...)
	o.b.living[ch.at] = -1
	o.enter(i, to)
}

func (o *orders) enter(i int, c cell) {
	ch := &o.b.characters[i]
	ch.at = c
	o.b.living[c] = int32(i)
	o.b.color[c] = ch.color
}

// bomb makes a ready character drop a bomb if it holds one and its cell has no bomb.
// Reach and delay are clamped to the limits.
func (o *orders) bomb(i int, reach, delay int32) {
	ch := &o.b.characters[i]
	if !o.b.armed(i) {
		return
	}
	limit := o.b.maxBomb()
	reach, delay = min(max(reach, minBomb), limit), min(max(delay, minBomb), limit)
	o.write(i, "bomb")
	o.dst = append(o.dst, `,"bomb_range":`...)
	o.dst = strconv.AppendInt(o.dst, int64(reach), 10)
	o.dst = append(o.dst, `,"bomb_delay":`...)
	o.dst = strconv.AppendInt(o.dst, int64(delay), 10)
	o.dst = append(o.dst, '}')
	ch.bombs--
	o.b.drop(i, reach, delay)
}

func (o *orders) write(i int, movement string) {
	o.given[i] = true
	if len(o.dst) > o.start+1 {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(o.dst, `{"id":`...)
	o.dst = strconv.AppendInt(o.dst, int64(o.b.characters[i].id), 10)
	o.dst = append(o.dst, `,"movement":"`...)
	o.dst = append(o.dst, movement...)
	o.dst = append(o.dst, '"')
}

// take gives the order for a step; staying needs no order.
func (o *orders) take(i int, s step) {
	if !s.stay {
		o.move(i, s.dir)
	}
	o.given[i] = true
}
