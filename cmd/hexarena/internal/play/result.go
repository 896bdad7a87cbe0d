package play

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/games"
)

// jsonResult is what play --json prints.
type jsonResult struct {
	Version     string         `json:"version"`
	Map         *games.MapInfo `json:"map"`
	Order       string         `json:"order"`
	Pace        string         `json:"pace"`
	SuddenDeath bool           `json:"sudden_death"`
	*arena.Report
	Recording string `json:"recording,omitempty"` // its file
	Again     string `json:"again"`               // the command that plays it again
}

func writeResult(w io.Writer, p *runner, r *arena.Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(jsonResult{
		Version:     p.Version,
		Map:         p.instance.MapInfo,
		Order:       string(p.Order),
		Pace:        string(p.Pace),
		SuddenDeath: p.suddenDeath,
		Report:      r,
		Recording:   p.recording,
		Again:       p.again(),
	})
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}
