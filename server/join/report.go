package join

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
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
		var over atomic.Bool
		for !over.Load() {
			list, err := r.api.matches(r.ctx)
			b, found := find(list, starts)
			posted := err != nil || r.post(func() error {
				over.Store(r.match != g)
				if found {
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
	id, turn, starts := g.id, g.turn, g.GameStarts
	starts.State, starts.PlayersInfo = nil, nil
	won := winner(starts.PlayerID, ends.WinnerPlayerID)
	r.spawn(func() {
		e, err := r.ending(id, turn, starts)
		if err != nil {
			r.say("%s is over: %s. The server did not tell more (%v).", title(starts), won, err)
			return
		}
		r.opts.Print(title(starts) + " is over" + e.outcome(starts.PlayerID, won) + ".\n" + indent(r.opts.Table(e.Report.Table)))
	})
}

// ending asks the server for the end of a match that is over.
func (r *relay) ending(id string, turn int, starts netorcai.GameStarts) (e end, err error) {
	ctx, cancel := context.WithTimeout(r.parent, reportTime)
	defer cancel()
	for wait := firstReportPause; ; wait *= 2 {
		if e, err = r.endingNow(ctx, id, turn, starts); err == nil || pause(ctx, wait) != nil {
			return e, err
		}
	}
}

// endingNow asks for the end of a match, after it has found the match if its id is not known.
func (r *relay) endingNow(ctx context.Context, id string, turn int, starts netorcai.GameStarts) (e end, err error) {
	if id == "" {
		list, err := r.api.matches(ctx)
		if err != nil {
			return e, err
		}
		b, found := find(list, starts)
		if !found {
			return e, errors.New("it does not list the match")
		}
		id = b.ID
	}
	return r.api.end(ctx, id, turn)
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

// outcome says how the match ended for a player: with its rank if it has one, otherwise who has won.
func (e *end) outcome(player int, won string) string {
	if e.Error != "" {
		return ", not played to its end: " + e.Error
	}
	rank, players := 0, 0
	for _, s := range e.Report.Seats {
		if s.ID >= 0 && !s.Special {
			players++
		}
		if s.ID == player {
			rank = s.Rank
		}
	}
	if rank == 0 {
		return ": " + won
	}
	return fmt.Sprintf(": rank %d of %d", rank, players)
}

// indent returns lines with two spaces before each.
func indent(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString("  " + line)
	}
	return b.String()
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
