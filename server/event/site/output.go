package site

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

// maxReported bounds the output that hexarena join reports at once, in bytes: twice as much as it
// keeps.
const maxReported = 16 << 10

// getOutput answers with the end of what the team's bot printed, and with the debug of its last
// match.
func (a teamAPI) getOutput(w http.ResponseWriter, _ *http.Request, team state.Team) {
	text := a.Rounds.Outputs.Of(team.Number)
	if text == "" {
		answer(
			w, http.StatusNotFound, nil,
			errors.New("there is no output of the team's bot: it is kept of versions that were "+
				"sent, and of bots that play with hexarena join"),
		)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text) // the client may be gone
}

// postOutput receives the end of what the team's bot printed, from the hexarena join that has
// started it.
func (a teamAPI) postOutput(w http.ResponseWriter, r *http.Request, team state.Team) {
	if !a.Rounds.Outputs.MayReport(team.Number, time.Now()) {
		answer(w, http.StatusTooManyRequests, nil,
			fmt.Errorf("output is taken every %v", rounds.ReportInterval))
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReported))
	if err != nil {
		answer(
			w, http.StatusRequestEntityTooLarge, nil,
			fmt.Errorf("the output has more than %d KiB, or has not arrived: send its end",
				maxReported>>10),
		)
		return
	}
	if err := a.Rounds.Outputs.Keep(team.Number, text); err != nil {
		answer(w, http.StatusServiceUnavailable, nil, fmt.Errorf("the output cannot be kept: %w", err))
		return
	}
	answer(w, http.StatusOK, map[string]any{"bytes": len(text)}, nil)
}
