package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	botserver "github.com/hexarena/hexarena/bots/hextictactoe/serve"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/analysis"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/web"
)

// analyse is an analysis that a user has asked for.
type analyse struct {
	analysis.Options
	path, judge, moves string
	asJSON, lines      bool // as a whole, or a line for the judge and for each move
	public             bool // the judge's address has to be
	stdout, stderr     io.Writer
}

// What a user does not say otherwise.
const (
	judgeTime    = 2 * time.Second
	judgeBlunder = 0.5
)

func newAnalyse() *cobra.Command {
	var a analyse
	cmd := &cobra.Command{
		Use:     "analyse GAME",
		Aliases: []string{"analyze"},
		Short:   "Let a bot judge a game of hexagonal tic-tac-toe",
		Long: `Walk a game of hexagonal tic-tac-toe with a bot as judge: what it thinks before and
after each move, what it would have played and what would have come of that. GAME is
a recording or a file in the notation, of which the first game counts.

The judge is a built-in bot (` + strings.Join(judgeNames(), ", ") + `) or the address of a bot that speaks the
HTTTX Bot API. What is asked of it follows what it declares; what it lacks is said.

A move is a blunder (??) when it loses so much as --blunder says, on a scale of 2 from
won to lost, or misses a win in one. Evaluations are from -1 to 1, above 0 is good for
x; x in 3 says that x wins in 3 moves. Ctrl-C ends it after the moves that are judged.`,
		Example: `  hexarena analyse recordings/20261120-114119-hextictactoe-7.hexarena
  hexarena analyse game.txt --judge http://localhost:8002 --moves 12-20 --time 10s`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&a.judge, "judge", judgeNames()[0], "who judges: a built-in bot or an address")
	f.DurationVar(&a.Time, "time", judgeTime, "time for each answer")
	f.IntVar(&a.Depth, "depth", 0, "how far a judge looks that can be told; 0: as it likes")
	f.StringVar(&a.moves, "moves", "", "moves to judge, in this order, such as 12,30-34; all if empty")
	f.BoolVar(&a.Threats, "threats", false, "say what a side would play if it could move again")
	f.Float64Var(&a.Blunder, "blunder", judgeBlunder, "loss that makes a blunder")
	f.BoolVar(&a.asJSON, "json", false, "write JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.path, a.stdout, a.stderr = args[0], cmd.OutOrStdout(), cmd.ErrOrStderr()
		ctx, interrupt := interruptible(cmd.Context())
		defer interrupt(nil)
		return a.run(ctx)
	}
	return cmd
}

func (a *analyse) run(ctx context.Context) error {
	switch {
	case a.Time < time.Millisecond || a.Time > time.Hour:
		return usageErrorf("--time: %v is not from 1ms to 1h", a.Time)
	case a.Depth < 0 || a.Depth > math.MaxInt32:
		return usageErrorf("--depth: %d is not from 0 to %d", a.Depth, math.MaxInt32)
	case !(a.Blunder > 0 && a.Blunder <= 2):
		return usageErrorf("--blunder: %v is not above 0 and at most 2", a.Blunder)
	}
	g, err := judgedGame(ctx, a.path, a.stderr)
	if err != nil {
		return err
	}
	if a.Moves, err = parseMoves(a.moves, len(g.Moves)); err != nil {
		return usageErrorf("--moves: %w", err)
	}
	address, dismiss, err := a.summon(ctx, &g.Rules)
	if err != nil {
		return err
	}
	defer dismiss()
	dialer := botapi.NewDialer(a.public && !builtIn(a.judge), warnings(a.stderr))
	defer dialer.Close()
	a.Dialer, a.Address = dialer, address
	if a.lines {
		return a.stream(ctx, g)
	}
	return a.tell(ctx, g)
}

// analyseIn judges the recordings of a folder for the page, public with judges on
// the public Internet only.
func analyseIn(dir string, public bool) web.Analyse {
	return func(ctx context.Context, name string, o web.AnalysisOptions, w io.Writer) error {
		a := analyse{
			path: filepath.Join(dir, name), judge: cmp.Or(o.Judge, judgeNames()[0]), public: public,
			stderr: io.Discard, stdout: w, lines: true,
		}
		a.Time, a.Blunder, a.Threats = judgeTime, judgeBlunder, o.Threats
		err := a.run(ctx)
		if op, ok := errors.AsType[*net.OpError](err); ok {
			return fmt.Errorf("the judge at %s cannot be reached: %w", a.judge, op.Err)
		}
		return err
	}
}

func builtIn(name string) bool {
	_, ok := bots.New(name)
	return ok
}

// summon makes sure that the judge is there: a built-in one is served on a port of
// its own, with every capability.
func (a *analyse) summon(ctx context.Context, rules *hextictactoe.Options) (address string, dismiss func(), err error) {
	bot, ok := bots.New(a.judge)
	if !ok {
		if !strings.ContainsAny(a.judge, ".:/") && a.judge != "localhost" {
			return "", nil, fmt.Errorf("the judge %q is no built-in bot; they are %s, or say where one is, such as http://localhost:8002", a.judge, strings.Join(judgeNames(), ", "))
		}
		if usual := hextictactoe.Defaults(); rules.ViewDistance != usual.ViewDistance || rules.WinDistance != usual.WinDistance {
			fmt.Fprintf(a.stderr, "the game has view distance %d and win distance %d; the judge is not told, and takes them for %d and %d\n",
				rules.ViewDistance, rules.WinDistance, usual.ViewDistance, usual.WinDistance)
		}
		return a.judge, func() {}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // it is to hear of an interrupt
	done := make(chan error, 1)
	go func() {
		done <- botserver.Run(ctx, l, botserver.Options{
			Bot: bot, Name: a.judge, Version: versionText(), // always the same seed: an analysis can be repeated
			ViewDistance: rules.ViewDistance, WinDistance: rules.WinDistance,
		})
	}()
	return "http://" + l.Addr().String(), func() {
		cancel()
		<-done
	}, nil
}

// parseMoves reads numbers of moves and ranges of them, with commas in between.
func parseMoves(text string, most int) (list []int, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		a, errFrom := strconv.Atoi(from)
		b, errTo := strconv.Atoi(to)
		if errors.Join(errFrom, errTo) != nil || a < 1 || b < a || b > most {
			return nil, fmt.Errorf("%q is no move or range of moves from 1 to %d, such as 3 or 5-7", part, most)
		}
		for n := a; n <= b; n++ {
			list = append(list, n)
		}
	}
	return list, nil
}
