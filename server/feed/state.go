package feed

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
)

// ErrNoTurn is returned for a turn that was not played, not played yet, or dropped from
// the history.
var ErrNoTurn = errors.New("there is no such turn")

// Status returns the phase of the match and the newest turn.
func (f *Feed) Status() (p Phase, turn int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.phase, f.newestTurn()
}

// Over returns a channel that is closed when the match is over and the end event is there.
func (f *Feed) Over() <-chan struct{} { return f.over }

// End returns the end event, or nil if the match is not over or its history was released.
func (f *Feed) End() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase != Over || f.released {
		return nil
	}
	return f.history.entries[len(f.history.entries)-1].data
}

// Seeded reports whether the match has begun and the player with an id got this seed for it.
func (f *Feed) Seeded(player int, seed uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.started() && match.SeriesOf(f.opts.Labels).Seed(engine.PlayerID(player)) == seed
}

// newestTurn returns the newest turn, or 0 before the first. The caller holds the lock.
func (f *Feed) newestTurn() int {
	n := len(f.history.entries) - 1
	if f.phase == Over {
		n--
	}
	return max(n, 0)
}

// started reports whether the history begins with a start event: a match that was aborted
// before its start has only an end. The caller holds the lock.
func (f *Feed) started() bool {
	n := len(f.history.entries)
	return n > 1 || n == 1 && f.phase == Playing
}

// Summary returns the match as one JSON object: the start event without its state, or the
// lobby before the start, with the phase and the newest turn.
func (f *Feed) Summary() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	var w jsonscan.Writer
	if !f.started() {
		l := f.lobby
		l.Phase = f.phase
		w.JSON("", &l)
		w = w[:len(w)-len("}")]
	} else {
		start := &f.history.entries[0]
		w = append(w, start.data[:start.body.from]...)
		w.String("phase", string(f.phase))
	}
	w.Int("turn", int64(f.newestTurn()))
	if f.history.oldest > 1 {
		w.Int("oldest", int64(f.history.oldest))
	}
	w.Close('}')
	return w
}

// State returns the state after a turn, or the initial state for 0: a JSON object with
// keys and lists in the game's order. The work depends on the size of the board. Any
// goroutine may call it.
func (f *Feed) State(turn int) ([]byte, error) {
	base, deltas, err := f.path(turn)
	if err != nil {
		return nil, err
	}
	return Apply(base, deltas...)
}

// path returns a whole state and the deltas that lead from it to the state of a turn.
func (f *Feed) path(turn int) (base []byte, deltas [][]byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.started() || turn < 0 || turn > f.newestTurn() {
		return nil, nil, fmt.Errorf("turn %d: %w", turn, ErrNoTurn)
	}
	const state, delta = `"state":`, `"delta":`
	m, marked := f.history.before(turn)
	for k := turn; k >= 0; k-- {
		if marked && k == m.turn {
			base = m.state
			break
		}
		e := &f.history.entries[k]
		if e.data == nil {
			return nil, nil, fmt.Errorf("turn %d is not kept any more: %w", k, ErrNoTurn)
		}
		body := e.data[e.body.from:e.body.to]
		if body[1] == state[1] {
			base = body[len(state):]
			break
		}
		deltas = append(deltas, body[len(delta):])
	}
	slices.Reverse(deltas)
	return base, deltas, nil
}

// Apply returns the state that results from applying deltas. A value in a delta replaces
// the value under the same key in the state. Exceptions are the lists "cells" and
// "characters", of which a delta contains only the members that changed, identified by q
// and r or by id, and an object "board", to which the same rules apply.
func Apply(state []byte, deltas ...[]byte) ([]byte, error) {
	var b board
	if err := b.put(state); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	for i, d := range deltas {
		if err := b.put(d); err != nil {
			return nil, fmt.Errorf("delta %d: %w", i, err)
		}
	}
	var w jsonscan.Writer
	b.write(&w)
	return w, nil
}

// board is a state to which deltas are applied, or a part of it.
type board struct {
	fields []*field
	byName map[string]*field
}

type field struct {
	name  string
	value jsonscan.Value
	list  *list  // of the value, if deltas contain only the members that changed
	inner *board // of the key "board", if the value is an object
}

// list holds members in the order in which they first appeared.
type list struct {
	members []jsonscan.Value
	places  map[identity]int
}

// identity identifies a member of a list.
type identity struct{ id, q, r int32 }

func (b *board) put(data []byte) error {
	object, err := jsonscan.Parse(data)
	if err != nil {
		return err
	}
	if object.Kind() != jsonscan.Object {
		return errors.New("it is not an object")
	}
	b.merge(object)
	return nil
}

func (b *board) merge(object jsonscan.Value) {
	if b.byName == nil {
		b.byName = map[string]*field{}
	}
	for key, value := range object.Fields() {
		name := key.Text()
		f := b.byName[name]
		if f == nil {
			f = &field{name: name}
			b.byName[name], b.fields = f, append(b.fields, f)
		}
		f.value = value
		switch isList := name == "cells" || name == "characters"; {
		case isList && value.Kind() == jsonscan.Array:
			if f.list == nil {
				f.list = &list{places: map[identity]int{}}
			}
			f.list.put(name, value)
		case name == "board" && value.Kind() == jsonscan.Object:
			if f.inner == nil {
				f.inner = new(board)
			}
			f.inner.merge(value)
		}
	}
}

func (l *list) put(name string, value jsonscan.Value) {
	for _, member := range value.Elements() {
		is := identify(name, member)
		if at, known := l.places[is]; known {
			l.members[at] = member
			continue
		}
		l.places[is] = len(l.members)
		l.members = append(l.members, member)
	}
}

func identify(list string, member jsonscan.Value) (is identity) {
	if member.Kind() != jsonscan.Object {
		return is
	}
	for key, value := range member.Fields() {
		switch {
		case list == "characters" && key.Is("id"):
			is.id, _ = value.Int32()
		case list == "cells" && key.Is("q"):
			is.q, _ = value.Int32()
		case list == "cells" && key.Is("r"):
			is.r, _ = value.Int32()
		}
	}
	return is
}

func (b *board) write(w *jsonscan.Writer) {
	*w = append(*w, '{')
	for _, f := range b.fields {
		w.String("", f.name)
		*w = append(*w, ':')
		switch {
		case f.list != nil:
			w.Open("", '[')
			for _, m := range f.list.members {
				w.Raw("", m)
			}
			w.Close(']')
		case f.inner != nil:
			f.inner.write(w)
		default:
			w.Raw("", f.value)
		}
	}
	w.Close('}')
}
