package site

import (
	"fmt"
	"net/http"
	"strconv"

	"rsc.io/qr"

	"github.com/hexarena/hexarena/server/event/state"
)

// slip is the text of the paper that a team is given.
type slip struct {
	Team              int
	Name, Token, Page string
}

// slipOf returns the slip of a team.
func (s *Site) slipOf(team int, name string) slip {
	token := s.Event.Token(team)
	return slip{team, name, token, s.Here() + teamPath(team) + "#" + token}
}

// sendSlips answers with the slips of all teams, which have their tokens.
func (o operator) sendSlips(w http.ResponseWriter, _ *http.Request) {
	var list []slip
	for _, t := range o.Event.Result().Teams {
		list = append(list, o.slipOf(t.Number, t.Name))
	}
	answer(w, http.StatusOK, map[string]any{"slips": list}, nil)
}

// sendQR answers with the address of a slip as a QR code.
func (o operator) sendQR(w http.ResponseWriter, r *http.Request) {
	var place state.Place
	team, err := strconv.Atoi(r.PathValue("team"))
	found := err == nil
	if found {
		place, found = o.Event.Result().PlaceOf(team)
	}
	if !found {
		answer(w, http.StatusNotFound, nil,
			fmt.Errorf("there is no team %.20q", r.PathValue("team")))
		return
	}
	// paper is not dirty for a day: the level of codes on screens does
	code, err := qr.Encode(o.slipOf(team, place.Name).Page, qr.M)
	if err != nil {
		answer(w, http.StatusConflict, nil,
			fmt.Errorf("the address of the page is too long for a QR code: %w", err))
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(code.PNG()) // the client may be gone
}
