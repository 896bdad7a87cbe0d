// Package eventcli has what the command event prepares beside rounds and pages: the workers on
// other machines, and the places that its settings name.
package eventcli

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
	"github.com/hexarena/hexarena/cmd/hexarena/internal/isolation"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/offload"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/limits"
)

// WorkersOptions say how workers are served. If both addresses are empty, none are.
type WorkersOptions struct {
	Listen      string // host:port of the server for workers
	NATS        string // the URLs of a cluster
	Version     string // of the program, which all workers must have
	Games       games.List
	StartBroker func(cupcli.BrokerOptions) (cupcli.Broker, error)
	Scope       config.Scope  // of an event
	CupScope    config.Scope  // of a cup, whose settings workers know
	Values      config.Values // of the event
	Connections *limits.Connections
}

// Workers are the workers of an event. All methods of nil are those of an event without any.
type Workers struct {
	dir         string // of their secret and of conflicts
	queue       *cupcli.Queue
	coordinator *remote.Coordinator
	dispatcher  *offload.Dispatcher
	isolated    bool // bots are, here
	log         zerolog.Logger
}

// OpenWorkers begins to serve workers if an option says so, and has the rounds played by them. It
// returns a games.UsageError if they cannot play any matches of the event.
func OpenWorkers(
	ctx context.Context, o WorkersOptions, e *event.Event, what *event.Options, how *rounds.Options,
	sending *isolation.Sent,
) (*Workers, error) {
	if o.Listen == "" && o.NATS == "" {
		return nil, nil
	}
	if err := o.check(sending, how); err != nil {
		return nil, games.UsageError{Err: err}
	}
	w := &Workers{dir: e.WorkersDir(), isolated: sending.Store.Isolate() != nil, log: how.Log}
	warn := func(text string) { w.log.Warn().Msg(text) }
	// which matches that are played here make when they need it
	err := disk.MakeFolder(e.RecordingsDir(), disk.PrivateFolder)
	if err != nil {
		return nil, err
	}
	if w.queue, err = cupcli.OpenQueue(ctx, cupcli.QueueOptions{Dir: w.dir, Workers: o.Listen, NATS: o.NATS, Start: o.StartBroker, Warn: warn, Connections: o.Connections}); err != nil {
		return nil, err
	}
	w.coordinator, err = remote.Coordinate(ctx, w.queue, remote.Options{
		Version: o.Version, Dir: w.dir, Verify: remote.VerifyBy(o.Games.Replay), RecordAll: true,
		Warn: warn,
	})
	if err != nil {
		w.queue.Stop()
		return nil, err
	}
	settings, game := o.settings(sending.Store.Memory()), o.Games.Find(what.Plan.Game)
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

// Tell prints the lines that start a worker.
func (w *Workers) Tell(to io.Writer) {
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

// check returns why workers cannot play matches of the event, nil if they can.
func (o *WorkersOptions) check(sending *isolation.Sent, how *rounds.Options) error {
	switch {
	case o.Listen != "" && o.NATS != "":
		return errors.New("--workers and --nats exclude each other")
	case sending.Store == nil:
		return fmt.Errorf(
			"--workers: they play versions that teams send, and here they cannot send any, since %s",
			sending.Refusal)
	case len(how.Board.Openings) > 0:
		return errors.New("--workers: workers do not know which opening an event plays; leave it out, " +
			"or " +
			"play without openings")
	}
	return nil
}

// Close ends the workers' matches, and tells what each worker has played. Workers wait for the
// event to go on.
func (w *Workers) Close() {
	if w == nil {
		return
	}
	w.dispatcher.Close()
	for _, line := range cupcli.WorkersOf(w.coordinator, w.dir) {
		w.log.Info().Msg(line)
	}
	w.coordinator.Close()
	w.queue.Stop()
}

// settings returns a manifest with the settings of an event as flags of a cup, but for those
// that differ from round to round. A script that hexarena runs may use some MiB of memory.
func (o *WorkersOptions) settings(memory int) remote.Manifest {
	except := []string{
		"map", "turns", "turn-timeout", "isolate-image", "isolate-memory", "isolate-cpus",
	}
	inCups, v := o.CupScope.Settings(), o.Values
	for _, s := range o.Scope.Settings() {
		if !slices.ContainsFunc(inCups, func(other config.Setting) bool { return other.Name == s.Name }) {
			except = append(except, s.Name)
		}
	}
	arguments := append(v.Arguments(except...), "--js-memory", strconv.Itoa(memory))
	return remote.Manifest{Version: o.Version, Arguments: arguments, Isolated: []string{
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
