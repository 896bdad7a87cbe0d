package sim

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/hivemaker"
	"github.com/hexarena/hexarena/server/host"
)

// requestWorlds is the number of worlds with duels of which one has games on request as well.
const requestWorlds = 3

// mostRequests is the largest number of games that are requested in a world.
const mostRequests = 3

// offerGames makes the generation's page offer games on request.
func (g *generation) offerGames(p *plan, page *host.Page, a *actor) {
	g.games = hivemaker.New(hivemaker.Options{
		AnyoneMayRequest: true, BotMoveTime: p.thinking, PersonMoveTime: p.thinking,
		Reconnect: p.personGrace, WaitTime: p.patience,
		Builtins: []string{"nearest", "random"},
		Builtin: func(name string, seed uint64) (netorcai.Bot, error) {
			return bots.Clients(name, bots.NewTicTacToe)(seed), nil
		},
		Start: func(ctx context.Context, s host.Spec) (*host.Room, error) {
			requested := *p
			requested.setup, requested.turns, requested.floor, requested.grace = s.Game.Setup, botapi.Settings().Turns, 0, 0
			requested.started, requested.builtins = nil, nil
			s.Watchers = append(s.Watchers, g.observe(&requested, "game "+s.Page.ID, g))
			return g.host.Start(ctx, s)
		},
		Connect: g.connect, Random: a.entropy(a.name + " games"), Log: zerolog.New(g),
	})
	page.More, page.Requested = g.games.Handle, g.games.Session
}

// requester is a client that requests a game, which players then play.
type requester struct {
	*actor
	plan    *plan
	host    string
	quality quality
	players [2]string // conducts of those who connect with a token; empty: a bot that the server seats
	persons [2]bool
}

// newRequester returns a requester.
func (p *plan) newRequester(i int, rng *rand.Rand) *requester {
	r := &requester{plan: p, host: fmt.Sprintf("10.0.12.%d", i), quality: p.quality(rng, "honest")}
	for side := range r.players {
		if chance(rng, 4) {
			continue
		}
		r.players[side] = []string{
			"honest", "honest", "honest", "slow", "garbled", "leaving", "silent",
		}[rng.IntN(7)]
		r.persons[side] = chance(rng, 2)
	}
	return r
}

// request requests a game, and has its players connect.
func (r *requester) request(a *actor) {
	r.actor = a
	a.sleep(between(a.rng, 0, time.Second))
	conn, err := a.net.dial(a, r.host, serverAddress, r.quality)
	for err != nil {
		a.note("cannot connect: %v", err)
		if a.closing() {
			return
		}
		a.sleep(between(a.rng, 0, time.Second))
		conn, err = a.net.dial(a, r.host, serverAddress, r.quality)
	}
	defer conn.Close()
	body := fmt.Sprintf(
		`{"player_x":%s,"player_o":%s,"match_config":{"turn_limit":%d,"win_distance":%d%s}}`, r.side(0),
		r.side(1), 4+a.rng.IntN(mostGameTurns-3), 3+a.rng.IntN(4), r.clock())
	a.note("requests %s", body)
	fmt.Fprintf(conn, "POST /game/new HTTP/1.1\r\nHost: %s\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\n\r\n%s", serverAddress, len(body), body)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		a.note("gets no game: %v", err)
		return
	}
	defer answer.Body.Close()
	var game struct {
		ID     string `json:"game_id"`
		Cross  string `json:"token_x"`
		Circle string `json:"token_o"`
	}
	err = json.NewDecoder(answer.Body).Decode(&game)
	a.note("is told: %s, %s (%v)", answer.Status, game.ID, err)
	if answer.StatusCode != http.StatusOK || err != nil {
		if err == nil && !a.closing() {
			a.violate("%s gets no game: %s", a.name, answer.Status)
		}
		return
	}
	for side, token := range []string{game.Cross, game.Circle} {
		if conduct := r.players[side]; conduct != "" {
			o := r.plan.newPartner(conduct, r.host, a.rand(fmt.Sprint(a.name, " link ", side)))
			o.token, o.person, o.side = token, r.persons[side], []string{"x", "o"}[side]
			a.act(fmt.Sprintf("%s of %s %d", conduct, a.name, side), o.play)
		}
	}
	if chance(a.rng, 2) {
		r.watch(game.ID)
	}
}

// side returns what is said of a player in the request.
func (r *requester) side(side int) string {
	switch {
	case r.players[side] != "":
		return "{}"
	case chance(r.rng, 2):
		return fmt.Sprintf(`{"type":"bot","bot_url":%q}`, r.noBot())
	}
	return fmt.Sprintf(`{"type":"built-in","name":%q}`, []string{"nearest", "random"}[r.rng.IntN(2)])
}

// noBot returns an address at which no bot listens: those that do play in the rooms.
func (r *requester) noBot() string { return r.host + ":9000" }

func (r *requester) clock() string {
	kind := []string{"none", "turn", "match"}[r.rng.IntN(3)]
	if kind == "none" {
		return ""
	}
	seconds := r.plan.thinking.Seconds()
	if kind == "match" {
		seconds *= 12
	}
	return fmt.Sprintf(`,"clock_type":%q,"clock":%.3f`, kind, seconds)
}

// watch follows a game to its end. A spectator sees boards, the end, and nothing after it.
func (r *requester) watch(id string) {
	c, err := r.connect(r.host, r.quality)
	if err != nil {
		return
	}
	defer c.conn.Close()
	if c.upgrade(&url.URL{Scheme: "ws", Host: string(serverAddress), Path: "/spectate/" + id}) != nil {
		return
	}
	ended, pieces := false, 0
	for {
		text, err := c.frame()
		if err != nil {
			r.note("sees no more: %v", err)
			return
		}
		var m packet
		if err := json.Unmarshal(text, &m); err != nil ||
			!slices.Contains([]string{"setup", "board_update", "end", "nope"}, m.Type) {
			r.violate("%s sees %q: %v", r.name, text, err)
		}
		r.note("sees %s (%s)", m.Type, digest(text))
		if n := len(m.Board.Cells); m.Type != "nope" {
			if ended || n < pieces {
				r.violate("%s sees %s with %d pieces after %d, ended: %t", r.name, m.Type, n, pieces, ended)
			}
			pieces = n
		}
		ended = ended || m.Type == "end" || m.Type == "nope"
	}
}

// entry returns where a player of a game on request connects.
func (o *partner) entry() *url.URL {
	to := &url.URL{
		Scheme: "ws", Host: string(serverAddress), Path: "/ws", RawQuery: "presence&token=" + o.token,
	}
	if !o.person {
		to.Path, to.RawQuery = host.DialInPath, strings.TrimPrefix(to.RawQuery, "presence&")
	}
	return to
}
