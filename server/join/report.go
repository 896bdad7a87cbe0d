package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/feed"
)

const (
	// reportTime limits the time until the server's account of a match has come. It is there a moment after the
	// match. Requests follow each other quickly at first, because a server that plays one match ends soon
	// after it; the pause doubles.
	reportTime       = 5 * time.Second
	firstReportPause = time.Millisecond
	// warmInterval is the time between requests in a match. They keep an HTTP connection open, since a server
	// that is about to end accepts no new one; servers close one that was idle for a minute.
	warmInterval = 30 * time.Second
)

// identify finds out which of the server's matches the bot plays, and keeps a connection open for the
// request at its end.
func (r *relay) identify(g *game) {
	starts := g.GameStarts
	starts.State, starts.PlayersInfo = nil, nil // they are large
	r.spawn(func() {
		for playing := true; playing; {
			list, err := r.api.matches(r.ctx)
			b, found := find(list, starts)
			posted := err != nil || r.post(func() error {
				if playing = r.match == g; found {
					g.id = b.ID
				}
				return nil
			})
			if !posted || pause(r.ctx, warmInterval) != nil {
				return
			}
		}
	})
}

// report prints the result of a match that is over, as soon as the server has it.
func (r *relay) report(g *game, ends netorcai.GameEnds) {
	id, starts, won := g.id, g.GameStarts, ends.WinnerPlayerID
	starts.State, starts.PlayersInfo = nil, nil
	r.spawn(func() {
		c, err := r.account(id, starts)
		if err != nil {
			r.say("%s is over: %s. The server did not tell more (%v).", title(starts), winner(starts.PlayerID, won), err)
			return
		}
		r.opts.Print(c.summary(title(starts)))
	})
}

// account asks the server for its account of a match that is over.
func (r *relay) account(id string, starts netorcai.GameStarts) (*account, error) {
	ctx, cancel := context.WithTimeout(r.parent, reportTime)
	defer cancel()
	for wait := firstReportPause; ; wait *= 2 {
		c, err := r.accountNow(ctx, id, starts)
		if err == nil || pause(ctx, wait) != nil {
			return c, err
		}
	}
}

// accountNow asks for the account of a match, after it has found the match if its id is not known.
func (r *relay) accountNow(ctx context.Context, id string, starts netorcai.GameStarts) (*account, error) {
	if id == "" {
		list, err := r.api.matches(ctx)
		if err != nil {
			return nil, err
		}
		b, found := find(list, starts)
		if !found {
			return nil, errors.New("it does not list the match")
		}
		id = b.ID
	}
	return r.api.account(ctx, id, starts.PlayerID)
}

// winner says in words who has won, as far as the bot was told.
func winner(player, won int) string {
	switch won {
	case player:
		return "the bot has won"
	case -1:
		return "there is no winner"
	}
	return fmt.Sprintf("player %d has won", won+1)
}

// summary returns the result of a match in lines.
func (c *account) summary(title string) string {
	var b strings.Builder
	b.WriteString(title + " is over")
	switch rank := c.rank(c.player); {
	case c.err != "":
		b.WriteString(", not played to its end: " + c.err)
	case rank > 0:
		fmt.Fprintf(&b, ": rank %d of %d with %d points", rank, len(c.names), c.scores[c.player])
	default:
		b.WriteString(": " + winner(c.player, c.winner))
	}
	b.WriteString(".\n")
	if ranking := c.ranking(); ranking != "" {
		b.WriteString("  ranking: " + ranking + "\n")
	}
	fmt.Fprintf(&b, "  missed turns: %d, refused actions: %s", c.missed, refusals(c.refused))
	return b.String()
}

// ranking lists the players, the first first; it is empty without scores.
func (c *account) ranking() string {
	var parts []string
	for rank := 1; rank <= len(c.names); rank++ {
		for id, name := range c.names {
			if c.rank(id) == rank {
				parts = append(parts, fmt.Sprintf("%d. %s %d", rank, name, c.scores[id]))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// refusals lists how many actions were refused for which reasons, the most frequent first.
func refusals(refused map[string]int) string {
	if len(refused) == 0 {
		return "0"
	}
	reasons := slices.Collect(maps.Keys(refused))
	slices.SortFunc(reasons, func(a, b string) int {
		return cmp.Or(cmp.Compare(refused[b], refused[a]), strings.Compare(a, b))
	})
	total := 0
	var parts []string
	for _, reason := range reasons {
		total += refused[reason]
		parts = append(parts, fmt.Sprintf("%s %d", reason, refused[reason]))
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(parts, ", "))
}

// explainWait says for what the bot waits.
func (r *relay) explainWait() {
	list, err := r.api.matches(r.ctx)
	if err != nil {
		return
	}
	gathering := slices.IndexFunc(list, func(b feed.Brief) bool { return b.Phase == feed.Gathering })
	if gathering < 0 {
		r.say("No seat is free: waiting for the next match. Ctrl-C ends the wait.")
		return
	}
	var names []string
	for _, p := range list[gathering].Players {
		names = append(names, p.Name)
	}
	r.say("Waiting for the match to start; there are: %s.", strings.Join(names, ", "))
}
