package rounds

import (
	"slices"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// failures says to the team of a version how it failed in a match, by the kind of the forfeit.
var failures = map[string]string{
	results.Absent: "it never logged in",
	results.Crash:  "it ended with an error",
	results.Left:   "it hung up, or was thrown out",
	results.Hung:   "it ceased to answer in time",
}

// maxReasonLine bounds a line that a version printed, in bytes, where a reason has it.
const maxReasonLine = 200

// noteBenched notes how uploaded versions failed that are benched since a match, whose teams are
// those of its first seats.
func (r *Rounds) noteBenched(teams []int, row *results.Row) {
	for seat, team := range teams {
		digest, isSent := strings.CutPrefix(row.Versions[seat], state.UploadPrefix)
		benched := event.Ask(r.event, func(s *state.State) bool {
			return s.Versions.Benched(team, row.Versions[seat])
		})
		if row.Forfeits[seat] == "" || !isSent || !benched {
			continue
		}
		reason := failures[row.Forfeits[seat]]
		printed, _ := r.Outputs.end(team) // a match that a worker has played may have left none
		if lines := endLines(printed); lines != "" {
			reason += "; it printed: " + lines
		}
		// an error was logged
		_ = r.event.Note(&state.VersionBenched{Team: team, Version: digest, Reason: reason})
	}
}

// endLines returns the last lines of a text in one.
func endLines(text string) string {
	lines := strings.Split(printable(text), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	lines = lines[max(0, len(lines)-shownLines):]
	for i, line := range lines {
		lines[i] = textutil.Clip(strings.TrimSpace(line), maxReasonLine)
	}
	return strings.Join(lines, " / ")
}
