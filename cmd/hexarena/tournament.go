package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// pairings is a tournament: many matches, some of them at once, between bots that log in once
// and stay.
type pairings struct {
	*schedule
	nicknames []string
	seats     int // of each match
	atOnce    int // matches

	mu    sync.Mutex // guards the fields below
	rows  map[string]*standing
	wrong []error
}

// standing is the tally of a bot's matches.
type standing struct {
	nickname             string
	matches, won, missed int // missed: matches that were played without the bot
	ranks                int // their sum
	score                int64
}

func newTournament() *cobra.Command {
	p := &pairings{rows: map[string]*standing{}}
	cmd := &cobra.Command{
		Use:    "tournament NICKNAME…",
		Short:  "Play many matches between bots that stay connected",
		Hidden: true,
		Long: `Play many matches between the bots that log in with these nicknames and "stay": true, several
at once on one port, and print who won how often. It takes the settings of serve.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.nicknames = args
			if p.seats < 1 || p.seats > len(args) || p.atOnce < 1 {
				return usage(fmt.Errorf("--bots = %d, --at-once = %d: want 1 to %d bots, and at least one match at once", p.seats, p.atOnce, len(args)))
			}
			v, err := serveScope.Load(cmd.Flags(), os.Environ())
			if err != nil {
				return usage(err)
			}
			hosts, err := hostOf(cmd.Context(), v)
			if err != nil {
				return usage(err)
			}
			if most := hosts.Players; most > 0 && p.seats > most {
				return usage(fmt.Errorf("--bots = %d: %s has seats for %d; lower it, or choose another map", p.seats, hosts.Map, most))
			}
			if len(hosts.seats) > 0 {
				return usage(v.Mistake("seats", "the bots of a tournament log in: name their nicknames instead"))
			}
			c := v.Config()
			if !c.Matches.Given {
				return usage(errors.New("--matches: say how many matches to play"))
			}
			ctx, done := signals.Context(cmd.Context())
			defer done(nil)
			return p.run(ctx, c, hosts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	defineSettings(cmd, serveScope)
	cmd.Flags().IntVar(&p.seats, "bots", 4, "bots in each match")
	cmd.Flags().IntVar(&p.atOnce, "at-once", 16, "matches that are played at once")
	return cmd
}

// run plays all matches and prints the standings.
func (p *pairings) run(ctx context.Context, c config.Config, g hosted, stdout, stderr io.Writer) (err error) {
	out := logs.NewConsole(stderr)
	defer out.Close()
	log := logs.New(out, c.LogLevel, c.JSONLogs, false)
	if p.schedule, err = openSchedule(ctx, c, g, log); err != nil {
		return tellNotOpen(err, g, log)
	}
	defer p.close()
	defer context.AfterFunc(ctx, func() { p.stop(context.Cause(ctx)) })()
	p.announce()
	p.playAll()
	p.shutdown()
	if err := p.print(stdout); err != nil {
		return err
	}
	return errors.Join(p.wrong...)
}

// playAll plays all matches, atOnce at a time.
func (p *pairings) playAll() {
	settings := p.settings()
	settings.Players, settings.Specials, settings.Visus = p.seats, 0, 0
	slots := make(chan struct{}, p.atOnce)
	var rooms sync.WaitGroup
	for p.number < p.config.Matches.Value && p.ctx.Err() == nil {
		slots <- struct{}{}
		spec := p.spec(settings)
		spec.Autostart, spec.InOrder, spec.Patience = true, true, gatherTime
		spec.Labels = map[string]string{"series": "tournament", "match": fmt.Sprint(p.number)}
		for _, nickname := range p.draw(spec.Seed) {
			spec.Seats = append(spec.Seats, seat.Spec{Kind: seat.Wait, Name: nickname})
		}
		room, err := p.host.Start(p.ctx, spec)
		if err != nil {
			<-slots
			p.count(spec, host.Result{Result: result.Result{Ending: match.Ending{Err: err}}})
			break
		}
		rooms.Go(func() {
			defer func() { <-slots }()
			p.count(spec, room.Wait())
		})
	}
	rooms.Wait()
}

// gatherTime is how long a match waits for bots that are not connected; those that are in
// another match come when that is over.
const gatherTime = 5 * time.Minute

// draw returns the nicknames of the bots of a match, in the order of their seats.
func (p *pairings) draw(seed uint64) []string {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(p.nicknames))
	var drawn []string
	for _, i := range order[:p.seats] {
		drawn = append(drawn, p.nicknames[i])
	}
	return drawn
}

// count adds the result of a match to the standings.
func (p *pairings) count(spec host.Spec, r host.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Err != nil {
		p.wrong = append(p.wrong, fmt.Errorf("match %s: %w", spec.Labels["match"], r.Err))
		return
	}
	row := func(nickname string) *standing {
		if p.rows[nickname] == nil {
			p.rows[nickname] = &standing{nickname: nickname}
		}
		return p.rows[nickname]
	}
	for _, s := range spec.Seats {
		row(s.Name).missed++
	}
	for i := range r.Players {
		one := &r.Players[i]
		s := row(one.Nickname)
		s.missed--
		s.matches++
		s.ranks += one.Rank
		if one.ID == r.Winner {
			s.won++
		}
		if len(one.Counts) > 0 {
			s.score += one.Counts[0].Value
		}
	}
}

// print writes the standings, the bot with the most wins first.
func (p *pairings) print(out io.Writer) error {
	rows := slices.SortedFunc(maps.Values(p.rows), func(a, b *standing) int {
		return cmp.Or(cmp.Compare(b.won, a.won), cmp.Compare(a.nickname, b.nickname))
	})
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "bot\tmatches\twon\tmean rank\tmean score\tabsent\t")
	for _, s := range rows {
		n := float64(max(s.matches, 1))
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.1f\t%d\t\n", s.nickname, s.matches, s.won, float64(s.ranks)/n, float64(s.score)/n, s.missed)
	}
	return w.Flush()
}
