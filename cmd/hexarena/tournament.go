package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/config"
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

	mu        sync.Mutex // guards the fields below
	standings result.Standings
	wrong     []error
}

func newTournament() *cobra.Command {
	p := new(pairings)
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
		number := fmt.Sprint(p.number)
		spec.Labels = map[string]string{"series": "tournament", "match": number}
		for _, nickname := range p.draw(spec.Seed) {
			spec.Seats = append(spec.Seats, seat.Spec{Kind: seat.Wait, Name: nickname, Label: nickname})
		}
		room, err := p.host.Start(p.ctx, spec)
		if err != nil {
			<-slots
			p.count(number, &result.Report{Err: err})
			break
		}
		rooms.Go(func() {
			defer func() { <-slots }()
			r := room.Wait()
			p.count(number, r.Report())
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

// count adds the result of the match with that number to the standings.
func (p *pairings) count(number string, r *result.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Err != nil {
		p.wrong = append(p.wrong, fmt.Errorf("match %s: %w", number, r.Err))
		return
	}
	p.standings.Add(r)
}

// print writes the standings, the bot with the most wins first.
func (p *pairings) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "bot\tmatches\twon\tmean rank\tmean score\tabsent\t")
	for _, s := range p.standings.Ranking() {
		score := 0.0
		if _, means := s.Means(); len(means) > 0 {
			score = means[0]
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.1f\t%d\t\n", s.Label, s.Matches, s.Won, s.Rank(), score, s.Absent)
	}
	return w.Flush()
}
