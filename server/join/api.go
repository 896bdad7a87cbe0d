package join

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/result"
)

// Limits of a request.
const (
	requestTime  = 10 * time.Second
	maxRedirects = 3 // such as from http to https on one host
	// bytes; the end of a match with many players has some kilobytes, as has a list of matches
	maxAnswer = 1 << 20
)

// api asks the server about itself and its matches, as docs/api.md describes.
type api struct {
	at     Address
	client http.Client
}

// newAPI returns the API of the server at an address. Requests share one connection, one after
// another: a server that is about to end accepts no new one, so that the request for the end of a
// match must not find the connection busy with the bot's output.
func newAPI(at Address) api {
	one := http.DefaultTransport.(*http.Transport).Clone()
	one.MaxConnsPerHost = 1
	return api{at: at, client: http.Client{Transport: one, CheckRedirect: at.redirect}}
}

// redirect implements http.Client.CheckRedirect. Redirects lead to no other host: a server could
// otherwise make the machine of its guest request any address, and send a token or the output of a
// bot there.
func (a Address) redirect(req *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects || req.URL.Host != a.base.Host {
		return http.ErrUseLastResponse // its status is reported
	}
	return nil
}

// get requests a resource and passes its body, which is closed afterwards, to read.
func (a *api) get(
	ctx context.Context, path string, query url.Values, read func(io.Reader) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.at.path(path, query), nil)
	if err != nil {
		return err
	}
	answer, err := a.client.Do(req)
	switch {
	case err != nil && strings.Contains(err.Error(), "malformed HTTP"): // net/http has no type for it
		return errNoPage
	case err != nil:
		return err
	}
	defer finish(answer)
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", req.URL, answer.Status)
	}
	return read(io.LimitReader(answer.Body, maxAnswer))
}

// finish reads the rest of an answer, so that the connection is kept, and closes the answer.
func finish(answer *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	_ = answer.Body.Close()
}

// decode returns a function that reads one JSON value into v.
func decode(v any) func(io.Reader) error {
	return func(r io.Reader) error {
		if json.NewDecoder(r).Decode(v) != nil {
			return errNotHexarena
		}
		return nil
	}
}

// errNotHexarena is why what answers at an address is no server of bots.
var errNotHexarena = errors.New("what answers there is not hexarena")

// errNoPage is why there is no page at an address that speaks another protocol.
var errNoPage = errors.New("what answers there has no page; it may be a port for players alone")

// health is what the server says about itself.
type health struct {
	Status string `json:"status"`
	Tokens bool   `json:"tokens"` // clients need tokens
}

// health asks the server about itself. The error says that no hexarena answers at the address.
func (a *api) health(ctx context.Context) (h health, err error) {
	if err = a.get(ctx, "/api/health", nil, decode(&h)); err == nil && h.Status == "" {
		err = errNotHexarena
	}
	return h, err
}

// matches lists the matches that the server keeps, the newest first.
func (a *api) matches(ctx context.Context) (list []feed.Brief, err error) {
	return list, a.get(ctx, "/api/matches", nil, decode(&list))
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

// end returns the event that ended a player's match, for which the server waits.
func (a *api) end(ctx context.Context, player int, seed uint64) (e end, err error) {
	match := url.Values{"player": {strconv.Itoa(player)}, "seed": {strconv.FormatUint(seed, 10)}}
	err = a.get(ctx, "/api/match/end", match, decode(&e))
	if err == nil && (e.Type != "end" || e.Report == nil) {
		err = errors.New("its account of the match has no end")
	}
	return e, err
}
