package join

import (
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
	"github.com/hexarena/hexarena/server/result"
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

// end is what is read of the event that ends a match, which docs/api.md describes.
type end struct {
	Type   string
	Error  string // why the match was not played to its end; empty: it was
	Report *struct {
		Seats []struct {
			ID, Rank int
			Special  bool
		}
		Table *result.Table
	}
}

// end returns the event that ended a match. Of the turns, those from a number on are read.
func (a *api) end(ctx context.Context, id string, turn int) (e end, err error) {
	from := url.Values{"match": {id}, "from": {strconv.Itoa(max(0, turn))}}
	err = a.get(ctx, "/api/match/events", from, func(r io.Reader) error {
		for d := json.NewDecoder(r); d.More(); {
			e = end{}
			if err := d.Decode(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && (e.Type != "end" || e.Report == nil) {
		err = errors.New("its account of the match has no end")
	}
	return e, err
}
