package state

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Act is an entry of the log of acts: something that the operator, a team or the event itself did.
// The acts and the results of matches are all that an event consists of. A later act can undo an
// earlier one; none is ever removed. The set of types is closed: each is in kinds.
type Act interface {
	head() *Head
	kind() string
	// apply changes the state. It returns an error, and changes nothing, if the act does not fit.
	apply(*State) error
}

// Head is the part that all acts have in common.
type Head struct {
	Kind string `json:"act"`
	At   int64  `json:"at"` // Unix time in seconds; only texts for people depend on it
}

func (h *Head) head() *Head { return h }

// Time returns the Unix time of an act in seconds.
func Time(a Act) int64 { return a.head().At }

// kinds holds a constructor for each type of act.
var kinds = func() map[string]func() Act {
	m := map[string]func() Act{}
	for _, make := range []func() Act{
		func() Act { return new(TeamJoined) },
		func() Act { return new(TeamRenamed) },
		func() Act { return new(TeamRested) },
		func() Act { return new(TeamHidden) },
		func() Act { return new(TeamsRemoved) },
		func() Act { return new(TeamForgotten) },
		func() Act { return new(BotsKicked) },
		func() Act { return new(RoundStarted) },
		func() Act { return new(RoundsPaused) },
		func() Act { return new(MatchVoided) },
		func() Act { return new(SetupChanged) },
		func() Act { return new(CodeChanged) },
		func() Act { return new(MessageShown) },
		func() Act { return new(VersionSent) },
		func() Act { return new(VersionTried) },
		func() Act { return new(VersionBenched) },
		func() Act { return new(DeadlineSet) },
		func() Act { return new(VersionsFrozen) },
		func() Act { return new(FinalStarted) },
		func() Act { return new(ExamTaken) },
	} {
		m[make().kind()] = make
	}
	return m
}()

// AppendAct appends an act that happens at a Unix time in seconds as a line of JSON.
func AppendAct(dst []byte, a Act, at int64) []byte {
	h := a.head()
	h.Kind, h.At = a.kind(), at
	line, err := json.Marshal(a)
	if err != nil {
		panic(err) // no field can fail
	}
	return append(append(dst, line...), '\n')
}

// ParseActs returns the acts of a text, a line for each. The error names the line.
func ParseActs(text []byte) (acts []Act, err error) {
	for line := range bytes.Lines(text) {
		a, err := parseAct(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(acts)+1, err)
		}
		acts = append(acts, a)
	}
	return acts, nil
}

func parseAct(line []byte) (Act, error) {
	var h Head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, fmt.Errorf("%.80q: %w", line, err)
	}
	make, known := kinds[h.Kind]
	if !known {
		return nil, fmt.Errorf("there is no act %.40q", h.Kind)
	}
	a := make()
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(a); err != nil {
		return nil, fmt.Errorf("%.80q: %w", line, err)
	}
	return a, nil
}
