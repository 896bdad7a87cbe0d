package web

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// PlayOn plays the match of the recording with the given name on from a turn, and returns the name
// of the new recording. It starts bots by commands. The text of an error is for the user.
type PlayOn func(ctx context.Context, name string, o PlayOnOptions) (recording string, err error)

// PlayOnOptions say from where and with whom a match is played on.
type PlayOnOptions struct {
	From  int      `json:"from"`  // the first TURN that the bots play; −1 for the initial board
	Seats []string `json:"seats"` // as hexarena play has them, by player; built-in bots take the rest
	// Answers are arrays of actions, by player, that take the place of the recorded ones in the
	// TURN From. The bots' answers then count one turn later.
	Answers map[int]json.RawMessage `json:"answers"`
}

const (
	// maxPlayOnBody is the largest body of a request to play on, in bytes.
	maxPlayOnBody = 16 << 10
	// playOnTime is as long as a match of 1000 turns takes with bots that need half a second for
	// each.
	playOnTime = 10 * time.Minute
)

// postPlayOn plays a match on. Since that runs commands, only the operator may request it, from the
// server's own machine, and one such match is played at a time. It ends when the client goes.
func (a *recordingAPI) postPlayOn(w http.ResponseWriter, r *http.Request) {
	name := a.recordingName(w, r)
	if name == "" {
		return
	}
	if a.opts.PlayOn == nil {
		fail(w, http.StatusNotFound, "no matches are played on here; hexarena replay play does it")
		return
	}
	if !a.operates(w, r) {
		return
	}
	if !fromHere(r) {
		fail(w, http.StatusForbidden, "only a browser on the server's own machine may start bots")
		return
	}
	var o PlayOnOptions
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxPlayOnBody))
	body.DisallowUnknownFields()
	if err := body.Decode(&o); err != nil {
		fail(w, http.StatusBadRequest,
			`the body is not JSON such as {"from": 43, "seats": ["my_bot.py", "painter"]}: %v`, err)
		return
	}
	if !a.findRecording(w, r) {
		return
	}
	select {
	case a.playing <- struct{}{}:
		defer a.playing.release()
	default:
		fail(w, http.StatusServiceUnavailable,
			"another match is being played on; try again when it is over")
		return
	}
	end := time.Now().Add(playOnTime + answerTime)
	answers := http.NewResponseController(w)
	_, _ = answers.SetWriteDeadline(end), answers.SetReadDeadline(end)
	ctx, cancel := context.WithTimeoutCause(r.Context(), playOnTime, errTooLong)
	defer cancel()
	recording, err := a.opts.PlayOn(ctx, name, o)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, "%v", err)
		return
	}
	answer(w, http.StatusOK, map[string]string{"recording": recording})
}
