package event

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// keepOrigin writes which program begins a fresh event, and how, or reads what the folder says of
// that.
func (e *Event) keepOrigin(o archive.Origin, fresh bool) error {
	path := filepath.Join(e.dir, archive.OriginFile)
	text, err := disk.ReadFile(e.disk, path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(o.Command) > 0 && fresh:
		if text, err = json.MarshalIndent(&o, "", "  "); err != nil {
			return err
		}
		if err = disk.WriteFile(e.disk, path, append(text, '\n')); err != nil {
			return err
		}
	case errors.Is(err, fs.ErrNotExist): // an older version began it
		return nil
	case err != nil:
		return err
	}
	return e.readOrigin(text)
}

// readOrigin reads the text of an origin.
func (e *Event) readOrigin(text []byte) error {
	var o archive.Origin
	if err := json.Unmarshal(text, &o); err != nil {
		return err
	}
	e.origin = o.InTables()
	return nil
}

// originNow returns the origin of the tables of the event with the teams that there are.
func (e *Event) originNow() standings.Origin {
	e.mu.Lock()
	p := e.planOf(e.state.Teams())
	e.mu.Unlock()
	o := e.origin
	o.Plan = p.Digest().String()
	return o
}

// planOf returns the plan of the cup that the event is: its bots are the built-in ones and the teams.
func (e *Event) planOf(teams []*state.Team) *plan.Plan {
	p := e.plan
	p.Bots = append([]plan.Bot(nil), p.Bots...)
	for _, t := range teams {
		p.Bots = append(p.Bots, plan.Bot{Name: t.Nick, Seat: teamSeat})
	}
	return &p
}
