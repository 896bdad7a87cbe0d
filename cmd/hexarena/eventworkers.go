package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cupcli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/offload"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/metrics"
)

// eventWorkers are the workers of an event. All methods of nil are those of an event without any.
type eventWorkers struct {
	dir         string // of their secret and of conflicts
	queue       *cupcli.Queue
	coordinator *remote.Coordinator
	dispatcher  *offload.Dispatcher
	isolated    bool // bots are, here
	log         zerolog.Logger
}

// openWorkers begins to serve workers, which then play the rounds, if an option says so. It returns
// a games.UsageError if they cannot play any matches of the event. Their connections count with
// those of other ports.
func (o *eventOptions) openWorkers(
	ctx context.Context, v config.Values, connections *limits.Connections, e *event.Event,
	what *event.Options, how *rounds.Options, sending *sentBots,
) (*eventWorkers, error) {
	if o.workers == "" && o.nats == "" {
		return nil, nil
	}
	if err := o.checkWorkers(sending, how); err != nil {
		return nil, games.UsageError{Err: err}
	}
	w := &eventWorkers{dir: e.WorkersDir(), isolated: sending.Store.Isolate() != nil, log: how.Log}
	warn := func(text string) { w.log.Warn().Msg(text) }
	// which matches that are played here make when they need it
	err := disk.MakeFolder(e.RecordingsDir(), disk.PrivateFolder)
	if err != nil {
		return nil, err
	}
	w.queue, err = cupcli.OpenQueue(ctx, cupcli.QueueOptions{
		Dir: w.dir, Workers: o.workers, NATS: o.nats, Start: startBroker, Warn: warn,
		Connections: connections,
	})
	if err != nil {
		return nil, err
	}
	forgotten := event.Ask(e, func(s *state.State) int { return len(s.Teams.Forgotten()) })
	w.coordinator, err = remote.Coordinate(ctx, w.queue, remote.Options{
		Version: versionText(), Dir: w.dir, Verify: remote.VerifyBy(gameList.Replay), RecordAll: true,
		Warn: warn, Forgets: forgotten,
	})
	if err == nil && forgotten > 0 { // an earlier process may not have come to it
		if err = w.coordinator.Forget(ctx); err != nil {
			w.coordinator.Close()
		}
	}
	if err != nil {
		w.queue.Stop()
		return nil, err
	}
	settings, game := o.workerSettings(v, sending.Store.Memory()), gameList.Find(what.Plan.Game)
	var builtin []string
	for _, b := range what.Plan.Bots {
		builtin = append(builtin, b.Name)
	}
	w.dispatcher = offload.New(offload.Options{
		Coordinator: w.coordinator, Key: w.queue.Key, Builtin: builtin, Store: sending.Store,
		Log: how.Log,
		Manifest: func(s offload.Setup) *remote.Manifest {
			return manifest(game, settings,
				what.Plan.Seats, s)
		},
	})
	how.Workers = w.dispatcher
	return w, nil
}

// tell prints the lines that start a worker.
func (w *eventWorkers) tell(to io.Writer) {
	if w == nil {
		return
	}
	for _, line := range w.queue.Commands() {
		if w.isolated {
			line += " --isolate"
		}
		fmt.Fprintf(to, "worker  %s\n", line)
	}
}

// count reports the workers in metrics.
func (w *eventWorkers) count(counts *metrics.Metrics) {
	if w != nil {
		counts.Workers(cupcli.CountedBy(w.coordinator))
	}
}

// checkWorkers returns why workers cannot play matches of the event, nil if they can.
func (o *eventOptions) checkWorkers(sending *sentBots, how *rounds.Options) error {
	if err := config.CheckAddress("workers", o.workers); err != nil {
		return err
	}
	switch {
	case o.workers != "" && o.nats != "":
		return errors.New("--workers and --nats exclude each other")
	case sending.Store == nil:
		return fmt.Errorf(
			"--workers: they play versions that teams send, and here they cannot send any, since %s",
			sending.Refusal)
	case len(how.Board.Openings) > 0:
		return errors.New("--workers: workers do not know which opening an event plays; leave it out, " +
			"or play without openings")
	}
	return nil
}

// close ends the workers' matches, and tells what each worker has played. Workers wait for the
// event to go on. Nothing of the event stays in a cluster, since a queue is of one process.
func (w *eventWorkers) close() {
	if w == nil {
		return
	}
	w.dispatcher.Close()
	for _, line := range cupcli.WorkersOf(w.coordinator, w.dir) {
		w.log.Info().Msg(line)
	}
	w.coordinator.Close()
	w.queue.Stop()
	if err := w.queue.RemoveStreams(); err != nil {
		w.log.Warn().Err(err).Msg("The event keeps space in the cluster")
	}
}

// workerSettings returns a manifest with the settings of an event as flags of a cup, but for those
// that differ from round to round. A script that hexarena runs may use some MiB of memory.
func (o *eventOptions) workerSettings(v config.Values, memory int) remote.Manifest {
	except := []string{
		"map", "turns", "turn-timeout", "isolate-image", "isolate-memory", "isolate-cpus",
	}
	inCups := cupScope.Settings()
	for _, s := range eventScope.Settings() {
		if !slices.ContainsFunc(inCups, func(other config.Setting) bool { return other.Name == s.Name }) {
			except = append(except, s.Name)
		}
	}
	arguments := append(v.Arguments(except...), "--js-memory", strconv.Itoa(memory))
	return remote.Manifest{Version: versionText(), Arguments: arguments, Isolated: []string{
		"--isolate-image", v.Text("isolate-image"), "--isolate-memory",
		strconv.Itoa(v.Int("isolate-memory")), "--isolate-cpus", strconv.Itoa(v.Int("isolate-cpus")),
	}}
}

// manifest returns what workers have to know of a setup.
func manifest(g *games.Game, m remote.Manifest, seats int, s offload.Setup) *remote.Manifest {
	turns, timeout := strconv.Itoa(s.Turns), s.TurnTimeout.String()
	m.Arguments = append(slices.Clone(m.Arguments), "--turns", turns, "--turn-timeout", timeout,
		"--start-timeout", s.StartTimeout.String())
	m.MapNames = []string{""}
	title := cmp.Or(s.Board.Map, g.Name)
	if g.Maps() != nil {
		title = s.Map
		if _, err := os.Stat(s.Map); err == nil {
			title = strings.TrimSuffix(filepath.Base(s.Map), ".json")
			m.Maps = []cup.MapFile{{Name: title, Text: s.Board.Board}}
		}
		m.MapNames = []string{title}
	}
	m.Plan = &plan.Plan{
		Game: g.Name, Seats: seats,
		Settings: []plan.Setting{{Name: "turns", Value: turns}, {Name: "turn-timeout", Value: timeout}},
		Maps: []plan.Map{
			{Name: title, Digest: sha256.Sum256(s.Board.Setup), Places: s.Board.Players},
		},
	}
	return &m
}
