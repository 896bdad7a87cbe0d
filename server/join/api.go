package join

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
)

// Limits of a request.
const (
	requestTime = 10 * time.Second
	maxAnswer   = 64 << 20 // bytes; the events of a long match on a large board have some megabytes
)

// api asks the server about itself and its matches, as docs/api.md describes.
type api struct {
	at     Address
	client http.Client
}

// get requests a resource and passes its body, which is closed afterwards, to read.
func (a *api) get(ctx context.Context, path string, query url.Values, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.at.path(path, query), nil)
	if err != nil {
		return err
	}
	answer, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", req.URL, answer.Status)
	}
	return read(io.LimitReader(answer.Body, maxAnswer))
}

// decode returns a function that reads one JSON value into v.
func decode(v any) func(io.Reader) error {
	return func(r io.Reader) error { return json.NewDecoder(r).Decode(v) }
}

// health is what the server says about itself.
type health struct {
	Status string `json:"status"`
	Tokens bool   `json:"tokens"` // clients need tokens
}

// health asks the server about itself. The error says that no hexarena answers at the address.
func (a *api) health(ctx context.Context) (h health, err error) {
	if err = a.get(ctx, "/api/health", nil, decode(&h)); err == nil && h.Status == "" {
		err = fmt.Errorf("what answers at %s is not hexarena", a.at)
	}
	return h, err
}

// matches lists the matches that the server keeps, the newest first.
func (a *api) matches(ctx context.Context) (list []feed.Brief, err error) {
	return list, a.get(ctx, "/api/matches", nil, decode(&list))
}

// find returns the match that began with a GAME_STARTS for a player, or false: the seed that the
// player was sent follows from the match's labels.
func find(list []feed.Brief, starts netorcai.GameStarts) (feed.Brief, bool) {
	i := slices.IndexFunc(list, func(b feed.Brief) bool {
		number, err := strconv.Atoi(b.Labels["match"])
		if err != nil {
			number = 1 // as of a match without labels
		}
		series := match.Series{Name: b.Labels["series"], Number: number}
		return b.Phase != feed.Gathering && series.Number == starts.Match && series.Seed(engine.PlayerID(starts.PlayerID)) == starts.Seed
	})
	if i < 0 {
		return feed.Brief{}, false
	}
	return list[i], true
}

// account is what a match's events say of its result, and of how one player fared.
type account struct {
	player  int
	names   []string // by player id
	special []bool   // by player id
	scores  []int64  // by player id; empty: the match has none
	winner  int      // -1: none
	err     string   // why the match was not played to its end; empty: it was
	ended   bool     // the match is over

	refused map[string]int // actions of the player without effect, by reason
	missed  int            // turns without its answer
}

// event is what is read of a match's events, which docs/api.md describes.
type event struct {
	Type  string
	Seats []struct {
		Nickname, Label string
		Special         bool
	}
	Answers []struct {
		Player int
		Lapse  string
	}
	Refused []struct {
		Player int
		Reason string
	}
	Winner int
	Error  string
	Tally  []firstCount
}

// firstCount is the first of a player's figures, which ranks the players.
type firstCount struct {
	value int64
	known bool
}

// UnmarshalJSON reads an object with "player" and the figures in their order.
func (f *firstCount) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token() // the brace
	for err == nil && d.More() && !f.known {
		var name json.Token
		if name, err = d.Token(); err == nil {
			err = d.Decode(&f.value)
		}
		f.known = name != "player"
	}
	return err
}

// account returns what the events of a match say, for a player.
func (a *api) account(ctx context.Context, id string, player int) (*account, error) {
	c := &account{player: player, refused: map[string]int{}}
	err := a.get(ctx, "/api/match/events", url.Values{"match": {id}}, func(r io.Reader) error {
		d := json.NewDecoder(r)
		for {
			var e event
			switch err := d.Decode(&e); {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			}
			c.add(&e)
		}
	})
	if err == nil && !c.ended {
		err = errors.New("its account of the match has no end")
	}
	return c, err
}

// add counts what an event says.
func (c *account) add(e *event) {
	for _, s := range e.Seats {
		c.names, c.special = append(c.names, cmp.Or(s.Label, s.Nickname)), append(c.special, s.Special)
	}
	for _, one := range e.Answers {
		if one.Player == c.player && one.Lapse != "" {
			c.missed++
		}
	}
	for _, one := range e.Refused {
		if one.Player == c.player {
			c.refused[one.Reason]++
		}
	}
	if e.Type != "end" {
		return
	}
	c.ended, c.winner, c.err = true, e.Winner, e.Error
	for _, count := range e.Tally {
		if count.known {
			c.scores = append(c.scores, count.value)
		}
	}
	if len(c.scores) != len(c.names) {
		c.scores = nil
	}
}

// rank returns the rank of a player, from 1, which ties share; 0 for special players and without scores.
func (c *account) rank(player int) int {
	if player < 0 || player >= len(c.scores) || c.special[player] {
		return 0
	}
	rank := 1
	for id, score := range c.scores {
		if !c.special[id] && score > c.scores[player] {
			rank++
		}
	}
	return rank
}
