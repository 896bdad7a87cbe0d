package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/cupcli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/broker"
	"github.com/hexarena/hexarena/server/machine/probe"
	"github.com/hexarena/hexarena/server/metrics"
)

// workerWait is the time that a worker waits for its cup: a machine that starts again, and a user
// who does so with the cup, take less, and a worker that did not hear that the cup is over does not
// stay for ever.
const workerWait = 15 * time.Minute

func newWorker() *cobra.Command {
	var o cupcli.WorkerOptions
	var health string
	cmd := &cobra.Command{
		Use:   "worker URL",
		Short: "Play matches of a cup or an event on another machine",
		Long: `Play matches of a cup, or of an event whose teams have sent their bots, that another machine has.

URL is what hexarena cup or event prints with --workers or --nats: the address of a NATS server, and
after # the key of the cup. The worker gets the bots of the cup, and nothing that is not signed by
this key is run. Bots run with your rights, or with --isolate in containers. What they need to run,
such as Python, has to be on this machine.

A worker that is killed, or loses its connection, changes no result: its matches are played by
others. It ends when the cup is over, with Ctrl-C, or when the cup gives no answer for as long as
--wait says. --stay has it wait for the same cup to go on, for ever.

The exit code is 0 when the cup is over, 2 for a wrong URL or wrong flags, and 1 otherwise, such as
for a cup of another version of hexarena.`,
		Example: `  hexarena worker 'tls://worker:TOKEN@192.168.1.5:4333#KEY'
  hexarena worker 'tls://worker:TOKEN@192.168.1.5:4333#KEY' --jobs 8 --isolate`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := errors.Join(notNegative(cmd.Flags(), "jobs"), config.CheckAddress("health", health))
			if err != nil {
				return usage(err)
			}
			if o.Wait < 0 {
				return usage(
					fmt.Errorf("--wait cannot be negative: %v; give a time such as 15m, or 0 to wait for ever",
						o.Wait),
				)
			}
			if o.Stay {
				o.Wait = 0
			}
			ctx, done := cli.Context(cmd.Context())
			defer done(nil)
			if o.Status = new(remote.WorkerStatus); health != "" {
				stop, err := probeWorker(health, o.Status, cmd.ErrOrStderr())
				if err != nil {
					return err
				}
				defer stop()
			}
			o.Address, o.Scope, o.Program = args[0], cupScope, programOf(cmd)
			return cupcli.Work(ctx, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Jobs, "jobs", 0, "matches to play at once; 0 for one on each core")
	f.BoolVar(&o.Isolate, "isolate", false,
		"run started bots in containers, also if the cup does not ask for it")
	f.DurationVar(&o.Wait, "wait", workerWait,
		"how long to wait for a cup that does not answer; 0 for ever")
	f.StringVar(&health, "health", "",
		"address that answers /healthz, /readyz and /metrics, such as 127.0.0.1:8081; empty for none")
	f.BoolVar(&o.Stay, "stay", false, "when the cup is over, wait until it goes on")
	return cmd
}

// probeWorker answers probes of a worker until stop is called. The worker is ready while its
// coordinator answers.
func probeWorker(
	address string, s *remote.WorkerStatus, stderr io.Writer,
) (stop func(), err error) {
	counts := metrics.NewProcess(versionText())
	counts.Worker(func() metrics.WorkerState {
		return metrics.WorkerState{
			Played: int(s.Played.Load()), Playing: int(s.Playing.Load()), Unsent: int(s.Unsent.Load()),
			Up: s.Up.Load(),
		}
	})
	_, stop, err = probe.Start(probe.Options{
		Address: address, Ready: s.Up.Load, Unready: "the coordinator does not answer",
		Metrics: counts.Handler(), Log: logs.Warnings(stderr),
	})
	if err != nil {
		return nil, fmt.Errorf("--health: %w; choose another address", err)
	}
	return stop, nil
}

// startBroker starts the server for the workers of a cup.
func startBroker(o cupcli.BrokerOptions) (cupcli.Broker, error) {
	return broker.Start(broker.Options(o))
}
