package rating

import (
	"encoding/binary"
	"errors"
	"math"
)

// BlocksState is all that Blocks know: some kilobytes to a few megabytes, however many blocks there
// are. Stages and units are bytes, as there may be many.
type BlocksState struct {
	Played []int  `json:"played"`
	Last   []int  `json:"last"`
	Blocks int    `json:"blocks"`
	Size   int    `json:"size"`
	Stages []byte `json:"stages"`
	Units  []byte `json:"units"`

	Seats   []int     `json:"seats"`
	First   []float64 `json:"first"`
	Varied  []bool    `json:"varied"`
	Reached []byte    `json:"reached"`
}

// State returns all that b knows. It shares memory with b.
func (b *Blocks) State() BlocksState {
	l := b.likelihood
	var stages, units []byte
	for id := range l.ends {
		stage := l.stage(id)
		stages = binary.AppendUvarint(stages, uint64(len(stage)))
		for _, s := range stage {
			stages = appendShare(stages, s)
		}
	}
	for i := range l.units {
		u := &l.units[i]
		units = binary.AppendUvarint(units, uint64(len(u.wins)))
		for _, w := range u.wins {
			units = appendShare(units, w)
		}
		units = binary.AppendUvarint(units, uint64(len(u.stages)))
		last := int32(0)
		for _, o := range u.stages {
			units = binary.AppendUvarint(units, uint64(o.stage-last))
			units = binary.AppendUvarint(units, uint64(o.count))
			last = o.stage
		}
	}
	return BlocksState{
		b.played, b.last, l.blocks, l.size, stages, units, b.seats, b.first, b.varied, b.reached,
	}
}

var errState = errors.New("the state of the blocks is damaged, or that of other bots")

// Restore sets b to a state of blocks of as many bots.
func (b *Blocks) Restore(s BlocksState) error {
	bots := b.likelihood.bots
	if len(s.Played) != bots || len(s.Last) != bots || s.Size < 1 || s.Blocks < 0 {
		return errState
	}
	if len(s.Seats) != bots || len(s.First) != bots || len(s.Varied) != bots ||
		len(s.Reached) != bots*bots {
		return errState
	}
	l := newLikelihood(bots, nil)
	l.blocks, l.size = s.Blocks, s.Size
	if !l.readStages(s.Stages) || !l.readUnits(s.Units) {
		return errState
	}
	if n := (l.blocks + l.size - 1) / l.size; n != len(l.units) {
		return errState
	}
	b.likelihood, b.played, b.last = l, s.Played, s.Last
	b.seats, b.first, b.varied, b.reached = s.Seats, s.First, s.Varied, s.Reached
	return nil
}

// readStages reads all stages; ok is false if they are damaged.
func (l *likelihood) readStages(text []byte) (ok bool) {
	r := stateReader{text: text}
	for len(r.text) > 0 && !r.bad {
		n := r.count(len(r.text))
		key := r.text // a stage is known by its shares' bytes
		for range n {
			l.shares = append(l.shares, r.share(l.bots))
		}
		l.known[string(key[:len(key)-len(r.text)])] = int32(len(l.ends))
		l.ends = append(l.ends, int32(len(l.shares)))
	}
	return !r.bad
}

// readUnits reads all units; ok is false if they are damaged.
func (l *likelihood) readUnits(text []byte) (ok bool) {
	r := stateReader{text: text}
	for len(r.text) > 0 && !r.bad {
		var u unit
		u.wins = make([]share, r.count(len(r.text)))
		for i := range u.wins {
			u.wins[i] = r.share(l.bots)
		}
		u.stages = make([]occurrence, r.count(len(r.text)))
		last := 0
		for i := range u.stages {
			last += r.count(len(l.ends))
			if last >= len(l.ends) {
				return false
			}
			u.stages[i] = occurrence{int32(last), int32(r.count(math.MaxInt32))}
		}
		l.units = append(l.units, u)
	}
	return !r.bad
}

// stateReader reads what State appended. Once it is bad, all that it returns is 0.
type stateReader struct {
	text []byte
	bad  bool
}

// count reads a number, which must not be above most.
func (r *stateReader) count(most int) int {
	n, length := binary.Uvarint(r.text)
	if length <= 0 || n > uint64(most) {
		r.text, r.bad = nil, true
		return 0
	}
	r.text = r.text[length:]
	return int(n)
}

// share reads a share of one of the bots.
func (r *stateReader) share(bots int) share {
	n := r.count(2*bots - 1)
	s := share{int32(n >> 1), 1}
	if n&1 == 1 {
		if len(r.text) < 8 {
			r.text, r.bad = nil, true
			return share{}
		}
		s.weight = math.Float64frombits(binary.LittleEndian.Uint64(r.text))
		r.text = r.text[8:]
	}
	return s
}
