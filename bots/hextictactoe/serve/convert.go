package serve

import (
	"encoding/json"
	"fmt"
	"net/http"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, why string) {
	text, err := json.Marshal(map[string]string{"error": why})
	if err != nil {
		panic(err) // cannot happen: every string can be marshalled
	}
	answer(w, status, text)
}

// question returns the question for a bot in a position.
func (s *server) question(pieces []htttx.Piece, toMove htttx.Side) (bots.Question, error) {
	if len(pieces) > maxPieces {
		return bots.Question{}, fmt.Errorf("it has %d pieces, more than %d", len(pieces), maxPieces)
	}
	p := rules.Position{ToMove: sideOf(toMove), Pieces: make([]rules.Piece, 0, len(pieces))}
	for _, piece := range pieces {
		p.Pieces = append(p.Pieces, rules.Piece{
			Coord: rules.Coord{Q: int(piece.Q), R: int(piece.R)}, Side: sideOf(piece.Side),
		})
	}
	return bots.NewQuestion(p, s.ViewDistance, s.WinDistance)
}

func sideOf(s htttx.Side) rules.Side {
	if s == htttx.Cross {
		return rules.X
	}
	return rules.O
}

func moveResponse(a bots.Answer) htttx.MoveResponse {
	m := htttx.MoveResponse{Move: moveOption(a.Option)}
	for _, o := range a.Considered[:min(len(a.Considered), htttx.MaxConsiderations)] {
		m.Considerations = append(m.Considerations, moveOption(o))
	}
	return m
}

func moveOption(o bots.Option) htttx.MoveOption {
	e := evaluation(o.Evaluation)
	m := htttx.MoveOption{Evaluation: &e}
	for _, c := range o.Pieces {
		m.Pieces = append(m.Pieces, htttx.Cell{Q: int32(c.Q), R: int32(c.R)})
	}
	return m
}

func evaluation(e bots.Evaluation) (to htttx.Evaluation) {
	to.Heuristic, to.CutOff = &e.Heuristic, e.Cut
	if e.Spent.Plan > 0 {
		for _, n := range e.Spent.Nodes() {
			to.Nodes = append(to.Nodes, int32(n))
		}
		to.CutOff = false // the nodes repeat it
	}
	if e.WinIn != 0 {
		n := int32(e.WinIn)
		to.WinIn = &n
	}
	return to
}
