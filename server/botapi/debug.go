package botapi

import (
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// debugOf returns a peer's evaluation of its move in the form that matches keep and
// the page charts, or nil if there is none:
//
//	{"values":{"heuristic":0.3,"win_in":2},"considerations":[{"pieces":[…]},…]}
//
// A move whose search a time limit cut off has a text that says so. Considered
// moves that do not fit are left out, the worst first.
func debugOf(m htttx.MoveResponse) []byte {
	if m.Move.Evaluation == nil && len(m.Considerations) == 0 {
		return nil
	}
	b := []byte{'{'}
	var values htttx.Evaluation
	if e := m.Move.Evaluation; e != nil {
		values = *e
	}
	if values.CutOff {
		values.CutOff = false // values holds numbers only
		b = append(b, `"text":"cut off by the time limit: not reproducible",`...)
	}
	b = values.Append(append(b, `"values":`...))
	b = append(b, `,"considerations":[`...)
	for i, c := range m.Considerations {
		before := len(b)
		if i > 0 {
			b = append(b, ',')
		}
		if b = c.Append(b); len(b)+len("]}") > netorcai.DebugLimit {
			b = b[:before]
			break
		}
	}
	return append(b, "]}"...)
}
