package archive

import (
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/launch"
)

// OriginFile is the name of the file of an [Origin]. Folders that older versions made have none.
const OriginFile = "origin.json"

// Origin says which program began a cup, and how. It decides no result, so that it is no part of
// the plan.
type Origin struct {
	Version string   `json:"version"`
	Commit  string   `json:"commit"`
	Command []string `json:"command"` // plays the cup again, as it was begun
	// Grown is the last command that added matches. It needs the folder that Command has filled.
	Grown    []string `json:"grown,omitempty"`
	Settings []string `json:"settings"` // the flags of the settings that were given, but for the maps
	// their names as the setting has them; those of files are in the folder
	Maps []string `json:"maps"`
}

// Origin returns the origin of the cup; the zero Origin if it is not known.
func (c *Cup) Origin() (o Origin) {
	_ = readJSON(filepath.Join(c.Dir, OriginFile), &o) // without it, the cup can be shown as well
	return o
}

// Whole returns the origin of the cup that a shard is a part of.
func (o Origin) Whole() Origin {
	if i := slices.Index(o.Command, "--shard"); i >= 0 && i+1 < len(o.Command) {
		o.Command = slices.Delete(slices.Clone(o.Command), i, i+2)
	}
	return o
}

// againDir is the folder in which the commands of a cup that has grown play it again.
const againDir = "again"

// InTables returns the origin as tables have it. A cup that has grown has two commands, as seeds
// follow from the number of matches with which it was begun.
func (o Origin) InTables() standings.Origin {
	t := standings.Origin{Version: o.Version, Commit: o.Commit}
	switch {
	case len(o.Command) == 0:
	case len(o.Grown) == 0:
		t.Command = launch.Quote(o.Command)
	default:
		t.Command = launch.Quote(into(o.Command)) + " && " + launch.Quote(into(o.Grown))
	}
	return t
}

// into returns a command of hexarena cup with the folder again.
func into(command []string) []string {
	return slices.Insert(slices.Clone(command), min(2, len(command)), "--out", againDir)
}

// newStandings returns the standings before the first row.
func (c *Cup) newStandings() *standings.Standings { return c.withOrigin(standings.New(c.Plan)) }

// withOrigin returns standings whose tables have the origin of the cup.
func (c *Cup) withOrigin(s *standings.Standings) *standings.Standings {
	s.Origin = c.Origin().InTables()
	return s
}
