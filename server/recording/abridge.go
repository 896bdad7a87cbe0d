package recording

import (
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Limits up to which an answer without effect is kept whole. An answer that had an effect
// is always kept whole, because the replay needs it.
const (
	wholeAnswer   = 1 << 10 // bytes of actions: more than most answers have
	wholeRefusals = 32      // refused actions; each takes about 20 bytes
)

// Abridged describes the actions that an input had if the recording replaced them by
// shorter ones, which the rules refuse for the same reasons as the first of the originals.
type Abridged struct {
	Bytes  int      // size of the original actions; 0 if they were kept
	Digest [32]byte // SHA-256 of the original actions
}

// abridge shortens answers without effect that are large or have many refused actions.
func (r *Recorder) abridge() {
	t := &r.turn
	game, ok := r.opts.Rules.(engine.Abridger)
	if !ok || len(t.Refused) <= wholeRefusals && !slices.ContainsFunc(t.Inputs, isLarge) {
		return
	}
	r.refused = append(r.refused[:0], t.Refused...)
	r.short = r.short[:0]
	for i := range t.Inputs {
		in := &t.Inputs[i]
		refused := 0
		for _, f := range r.refused {
			if f.Input == i {
				refused++
			}
		}
		if in.Lapse != engine.Answered || !isLarge(*in) && refused <= wholeRefusals {
			continue
		}
		start := len(r.short)
		short, kept, ok := game.AppendAbridged(r.short, i, &in.Input, wholeAnswer)
		if !ok {
			continue
		}
		r.short = short
		in.Abridged = Abridged{Bytes: len(in.Actions), Digest: sha256.Sum256(in.Actions)}
		in.Actions, in.Prepared = short[start:len(short):len(short)], nil
		in.sum = r.summer.sum(&in.Input)
		r.refused = slices.DeleteFunc(r.refused,
			func(f engine.Refusal) bool { return f.Input == i && f.Action >= kept })
	}
	t.Refused = r.refused
}

func isLarge(in Input) bool { return len(in.Actions) > wholeAnswer }

func (p *parser) abridged(v jsonscan.Value) (a Abridged) {
	for key, v := range v.Fields() {
		switch {
		case key.Is("bytes"):
			a.Bytes = int(p.int(key, v, 1, maxLine))
		case key.Is("sha256"):
			p.hex(key, v, a.Digest[:])
		}
	}
	if a.Bytes == 0 && p.err == nil {
		p.err = errors.New("abridged: the original size is missing")
	}
	return a
}
