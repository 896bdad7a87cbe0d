package maps

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// MaxPlayers is the largest number of players in a match.
const MaxPlayers = 1024

// Report holds what [Check] finds in a map.
type Report struct {
	Map      *hexabomb.Map `json:"-"`                  // nil if there are problems
	Problems []string      `json:"problems,omitempty"` // what makes the map unplayable
	Remarks  []string      `json:"remarks,omitempty"`  // what is unusual about a playable map
	Info     Info          `json:"map,omitzero"`       // zero if there are problems
	Fairness Fairness      `json:"fairness,omitzero"`  // zero if there are problems
}

// Check reports everything that is wrong or unusual in the text of a map. The name is only
// copied to the Info.
func Check(name string, data []byte) Report {
	m, err := hexabomb.ParseMap(data)
	if err != nil {
		return Report{Problems: problems(err)}
	}
	r := Report{Map: m, Info: Describe(name, m), Fairness: Judge(m)}
	r.remarkKeys(data)
	r.remarkBoard()
	if r.Fairness.Verdict == Unfair {
		for _, d := range r.Fairness.Differences {
			r.remark("unfair: %s", d)
		}
	}
	return r
}

// problems splits an error of ParseMap into its problems.
func problems(err error) []string {
	var broken *hexabomb.MapError
	if !errors.As(err, &broken) {
		return []string{err.Error()}
	}
	lines := broken.Problems
	if broken.More > 0 {
		lines = append(slices.Clone(lines), fmt.Sprintf("and %d more", broken.More))
	}
	return lines
}

func (r *Report) remark(format string, args ...any) {
	r.Remarks = append(r.Remarks, fmt.Sprintf(format, args...))
}

// remarkKeys reports ignored keys, because they may be misspelt.
func (r *Report) remarkKeys(data []byte) {
	var file map[string]json.RawMessage
	if json.Unmarshal(data, &file) != nil {
		return
	}
	known := []string{"cells", "initial_positions", "special_initial_positions"}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		if !slices.Contains(known, key) {
			r.remark("the key %q is ignored; known keys are %s", textutil.Clip(key, 40),
				strings.Join(known, ", "))
		}
	}
}

func (r *Report) remarkBoard() {
	m := r.Map
	if len(m.Specials) == 0 {
		r.remark("no special_initial_positions: the map cannot be used for sudden death")
	}
	if n := len(m.Starts); n > MaxPlayers {
		r.remark("positions for %d players, but a match has at most %d", n, MaxPlayers)
	}
	if sizes := NewGraph(m.Cells).parts(); len(sizes) > 1 {
		r.remark("the board has %d unconnected parts, of %s cells", len(sizes), listSizes(sizes))
	}
}

// listSizes formats the first few sizes.
func listSizes(sizes []int) string {
	const most = 8
	list := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(sizes[:min(len(sizes), most)]), "[]")),
		", ")
	if len(sizes) > most {
		list += ", …"
	}
	return list
}
