package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// The defaults of an analysis.
const (
	judgeTime    = 2 * time.Second
	judgeBlunder = 0.3 // as lichess.org calls one, by the chance to win
)

func newAnalyse() *cobra.Command {
	j := games.Judgement{Version: versionText()}
	titles := strings.Join(judged.Titles(), " or ")
	cmd := &cobra.Command{
		Use:     "analyse GAME",
		Aliases: []string{"analyze"},
		Short:   "Let a bot judge a game of " + titles,
		Long: `Go through a game of ` + titles + ` with a bot as judge, and print its evaluation
before and after each move, the moves that it would have played, and how the game would
have continued. GAME is a recording or a file in the notation, of which the first game is
judged.

The judge is a built-in bot (` + strings.Join(judges(), ", ") + `) or the address of a bot that speaks the
HTTTX Bot API. It is only asked for what it declares that it can do; the rest is reported.

A move is a blunder (??) if it loses at least --blunder, on a scale of 2 from won to lost,
or misses a win in one. Evaluations are from -1 to 1, above 0 is good for x; "x in 3" means
that x wins in 3 moves. Ctrl-C ends the analysis after the moves that are judged.`,
		Example: `  hexarena replay analyse recordings/20261120-114119-7.hexarena
  hexarena replay analyse game.txt --judge http://localhost:8002 --moves 12-20 --time 10s`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&j.Judge, "judge", judges()[0], "the judge: a built-in bot or an address")
	f.DurationVar(&j.Time, "time", judgeTime, "time limit for each answer")
	f.IntVar(&j.Depth, "depth", 0,
		"search depth, for judges that support it; 0 is the judge's default")
	f.StringVar(&j.Moves, "moves", "", "moves to judge, in this order, such as 12,30-34; all if empty")
	f.IntVar(&j.Line, "line", 0,
		"also show how the judge would play on, for both sides: this many moves")
	f.BoolVar(&j.Threats, "threats", false,
		"also show what each side would play if it could move again")
	f.Float64Var(&j.Blunder, "blunder", judgeBlunder, "smallest loss that is a blunder")
	f.BoolVar(&j.JSON, "json", false, "write JSON")
	addProgress(cmd)
	completeWords(cmd, "judge", judges())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case j.Time < time.Millisecond || j.Time > time.Hour:
			return usageErrorf("--time: %v is not from 1ms to 1h", j.Time)
		case j.Depth < 0 || j.Depth > math.MaxInt32:
			return usageErrorf("--depth: %d is not from 0 to %d", j.Depth, math.MaxInt32)
		case j.Line < 0 || j.Line > web.LongestLine:
			return usageErrorf("--line: %d is not from 0 to %d", j.Line, web.LongestLine)
		case !(j.Blunder > 0 && j.Blunder <= 2):
			return usageErrorf("--blunder: %v: want more than 0 and at most 2", j.Blunder)
		}
		judge, err := judgeOf(args[0])
		if err != nil {
			return err
		}
		said := tui.NewProgress(cmd.ErrOrStderr(), args[0]).Of("move")
		j.Path, j.Out, j.Err = args[0], inPlaceOf{said, cmd.OutOrStdout()}, cmd.ErrOrStderr()
		j.Log, j.Progress = logs.Warnings(cmd.ErrOrStderr()), said.Step
		ctx, interrupt := cli.Context(cmd.Context())
		defer interrupt(nil)
		err = judge.Run(ctx, &j)
		said.Done()
		return err
	}
	return cmd
}

// inPlaceOf is an output whose lines take the place of the bar of a progress.
type inPlaceOf struct {
	said *tui.Progress
	out  io.Writer
}

// Write implements io.Writer.
func (w inPlaceOf) Write(text []byte) (int, error) {
	w.said.Done()
	return w.out.Write(text)
}

// judged are the games that bots can judge.
var judged = gameList.That(func(g *games.Game) bool { return g.Judge != nil })

// judges returns the built-in judges.
func judges() (names []string) {
	for _, g := range judged {
		names = append(names, g.Judge.Names...)
	}
	return names
}

// judgeOf returns the judge for a recording. A file that is not a recording is taken for
// the notation of the first game that has a judge.
func judgeOf(path string) (*games.Judge, error) {
	var rules string
	err := recording.Read(path, func(r *recording.Reader) error {
		rules = r.Header().Rules
		return nil
	})
	recorded := err == nil
	if !recorded && !errors.Is(err, recording.ErrForeign) {
		return nil, err
	}
	for _, g := range judged {
		if !recorded && g.Notation != nil || recorded && gameList.OfRules(rules) == g {
			return g.Judge, nil
		}
	}
	return nil, fmt.Errorf("%s: its rules are %q; only games of %s can be judged", path, rules,
		strings.Join(judged.Titles(), " and "))
}

// analyseIn returns a function that judges the recordings of a folder for the page. If public is
// true, it dials judges on the public Internet only.
func analyseIn(dir string, public bool) web.Analyse {
	return func(ctx context.Context, name string, o web.AnalysisOptions, w io.Writer) error {
		path := filepath.Join(dir, name)
		if o.Game != "" {
			scratch, err := os.MkdirTemp("", "hexarena-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(scratch)
			path = filepath.Join(scratch, "game.txt")
			if err := os.WriteFile(path, []byte(o.Game), 0o600); err != nil {
				return err
			}
		}
		judge, err := judgeOf(path)
		if err != nil {
			return err
		}
		j := games.Judgement{
			Path: path, Judge: cmp.Or(o.Judge, judge.Names[0]), Public: public,
			Time: judgeTime, Blunder: judgeBlunder, Line: o.Line, Threats: o.Threats, Version: versionText(),
			Lines: true, Out: w, Err: io.Discard, Log: logs.Warnings(io.Discard),
		}
		if o.Move > 0 {
			j.Moves = strconv.Itoa(o.Move)
		}
		err = judge.Run(ctx, &j)
		if op, ok := errors.AsType[*net.OpError](err); ok {
			return fmt.Errorf("the judge at %s cannot be reached: %w", j.Judge, op.Err)
		}
		return err
	}
}
