package hextictactoe

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Describe implements [engine.Describer].
func (g *Game) Describe(action []byte) string {
	v, err := jsonscan.Parse(action)
	if err != nil || moveFault(v) != "" {
		return ""
	}
	var cells []string
	for _, cell := range v.Field("pieces").Elements() {
		q, _ := cell.Field("q").Int32()
		r, _ := cell.Field("r").Int32()
		cells = append(cells, fmt.Sprintf("%d,%d", q, r))
	}
	if cells == nil {
		return ""
	}
	return "a piece at " + strings.Join(cells, " and at ")
}
