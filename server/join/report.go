package join

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/feed"
)

// warmInterval is the time between requests that keep an HTTP connection open for the request at
// the end of a match, since a server that is about to end accepts no new one. Servers close a
// connection that was idle for a minute.
const warmInterval = 30 * time.Second

// keepWarm keeps an HTTP connection open.
func (r *relay) keepWarm() {
	for pause(r.ctx, warmInterval) == nil {
		_, _ = r.api.health(r.ctx) // a server that is gone shows elsewhere
	}
}

// report prints the result of a match that is over, as soon as the server has it.
func (r *relay) report(g *game, ends netorcai.GameEnds) {
	match, player, seed := title(g.GameStarts), g.PlayerID, g.Seed
	won := winner(player, ends.WinnerPlayerID)
	r.reports.Add(1)
	r.spawn(func() {
		defer r.post(func() error { r.output.report(r.token()); return nil })
		defer r.reports.Done()
		e, err := r.api.end(r.parent, player, seed)
		if err != nil {
			r.say("%s is over: %s. The server did not tell more (%v).", match, won, err)
			return
		}
		r.opts.Print(
			match + " is over" + e.outcome(player, won) + ".\n" + indent(r.opts.Table(e.Report.Table)))
	})
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

// outcome says how the match ended for a player: with its rank if it has one, otherwise who has
// won.
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
