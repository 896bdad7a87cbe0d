package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rehearsal"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/site"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// rehearsalInterval is the time from the beginning of a round to that of the next one, unless the
// round takes longer: there is no pause.
const rehearsalInterval = 100 * time.Millisecond

// rehearsalScope holds the settings of event rehearse: those of event that matter on this machine
// alone, without an operator and bots that are sent.
var rehearsalScope = config.Scope{
	Command: config.Event, Games: gameList.Settings(),
	Without: []string{
		"port", "bind", "health", "ask-publication", "ask-ai", "verbose", "quiet", "debug", "json-logs",
		"isolate-image", "isolate-memory", "isolate-cpus",
	},
}

func newEventRehearse() *cobra.Command {
	o := eventOptions{}
	teams, duration := 0, time.Duration(0)
	cmd := &cobra.Command{
		Use:   "rehearse",
		Short: "Play an event speeded up, with honest, hung and broken bots",
		Long: `Play an event in a temporary folder, with bots of this process, on this machine: rounds
follow each other without a pause. Most bots are honest; others hang, leave in the middle of matches,
send garbage, or come late. It prints how many matches were played in a minute, and what broke:
it fails if an honest bot lost a match by that. Ctrl-C removes the folder.`,
		Example: `  hexarena event rehearse
  hexarena event rehearse --teams 40 --duration 2m --map garden --turns 50`,
		Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	f.IntVar(&teams, "teams", 40, "number of teams")
	f.DurationVar(&duration, "duration", 2*time.Minute, "how long it takes")
	f.StringVar(&o.pairing, "pairing", "equal",
		"equal: all teams meet equally often; near: teams of near ratings meet more often")
	f.IntVar(&o.seats, "seats", 0, "seats of a match; 0 for as many as the map has")
	defineSettings(cmd, rehearsalScope)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		v, err := rehearsalScope.Load(cmd.Flags(), os.Environ())
		if err == nil && (teams < 2 || teams > state.MaxTeams) {
			err = fmt.Errorf("--teams %d: want 2 to %d", teams, state.MaxTeams)
		}
		if err == nil && duration < time.Second {
			err = fmt.Errorf("--duration %v: want a second or more such as 2m", duration)
		}
		if err != nil {
			return usage(err)
		}
		ctx, done := cli.Context(cmd.Context())
		defer done(nil)
		return o.rehearse(ctx, v, teams, duration, cmd)
	}
	addProgress(cmd)
	return cmd
}

// rehearse plays the event, and prints what broke.
func (o *eventOptions) rehearse(
	ctx context.Context, v config.Values, teams int, duration time.Duration, cmd *cobra.Command,
) error {
	o.rounds = "operator"
	what, how, err := o.options(v)
	if err != nil {
		return usage(err)
	}
	temp, err := filelock.MkdirTemp()
	if err != nil {
		return err
	}
	defer temp.Close()
	log := new(rehearsal.Errors)
	how.Start.Every, how.Log = rehearsalInterval, zerolog.New(log)
	what.Dir, what.Log = filepath.Join(temp.Dir, "event"), how.Log
	e, err := event.Open(what)
	if err != nil {
		return err
	}
	defer e.Close()
	rounds := rounds.New(e, how)
	hosting := o.hosting(host.Public(how.Log, versionText()), v.Config(), e,
		&site.Site{Event: e, Rounds: rounds}, how)
	hosting.Bind, hosting.Port = "127.0.0.1", 0
	h, err := rounds.Open(hosting)
	if err != nil {
		return tellNotOpen(err, hosted{}, how.Log)
	}
	defer h.Shutdown(ctx)
	said := tui.NewProgress(cmd.ErrOrStderr(), "rehearsal").Of("second")
	perMinute, err := rehearsal.Play(ctx, rehearsal.Options{
		Event: e, Game: how.Game, Addr: h.Addr().String(), Teams: teams, Duration: duration,
		Out:      cmd.OutOrStdout(),
		Progress: func(done, total int, played string) { said.With(played).Step(done, total) },
		Failed:   panics.Logged(how.Log, "A bot of the rehearsal failed"),
	}, rounds.Run)
	said.Done()
	if err == nil && ctx.Err() != nil {
		return errors.New("the rehearsal was stopped")
	}
	if err == nil {
		err = rehearsal.Report(cmd.OutOrStdout(), what.Dir, perMinute, log)
	}
	return err
}
