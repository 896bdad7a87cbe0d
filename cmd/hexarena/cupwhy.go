package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/why"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

func newCupWhy() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "why [A B] [DIR]",
		Short: "Show where two bots of a cup begin to differ",
		Long: `Explain the results of two bots of a cup against each other, by matches whose recordings
were kept (hexarena cup --keep all).

It first asks each bot again what it answered in the match in which they were furthest
apart. A bot that now answers otherwise differs from itself: what two matches of it show is
chance, and the command lists the most decisive matches. Bots that seed their random
numbers with BOT_SEED do not. Else B is shown what A was shown, and the command prints
the first turn in which it answers otherwise than A did.

A cup of two bots needs no names. Without DIR it takes the cup in the folder cups that was
played last. The bots are started from the copies in the cup's folder.`,
		Example: "  hexarena cup why my_bot.py@HEAD my_bot.py",
		Args:    cobra.MaximumNArgs(3),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	addProgress(cmd)
	defineSettings(cmd, rerunScope)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v, err := rerunScope.Load(cmd.Flags(), os.Environ())
		if err != nil {
			return usage(err)
		}
		started, err := cli.Launch(v)
		if err != nil {
			return usage(err)
		}
		asked := rerun.Options{
			Games: gameList.Replay, StartTimeout: started.Timeout, Env: started.Env,
			TurnTimeout: v.Duration("turn-timeout"),
		}
		named := args[:len(args)/2*2] // A and B, or neither: a single argument is DIR
		c, err := openCup(args[len(named):])
		if err != nil {
			return err
		}
		bots, err := twoBots(c, named)
		if err != nil {
			return usage(err)
		}
		o := why.Options{Cup: c, A: bots[0], B: bots[1], Ask: func(
			ctx context.Context, bot, path string, player int,
		) (*rerun.Report, error) {
			return askAgain(ctx, cmd, c, v, asked, bot, path, player)
		}, Report: func(
			ctx context.Context, path string, a, b engine.PlayerID,
		) (*result.Report, []result.Decision, error) {
			said := tui.NewProgress(cmd.ErrOrStderr(), path)
			defer said.Done()
			r := export.Recording{Path: path, Games: gameList, Progress: said.Step}
			course, report, err := r.Course(ctx, true)
			if err != nil {
				return nil, nil, err
			}
			decided, err := r.Decisions(ctx, course, a, b)
			return report, decided, err
		}}
		answer, err := why.Explain(cmd.Context(), o)
		switch {
		case cmd.Context().Err() != nil:
			return cli.ErrInterrupted
		case err != nil:
			return err
		case asJSON:
			return textutil.WriteJSON(cmd.OutOrStdout(), answer)
		}
		return tellWhy(cmd.OutOrStdout(), &o, answer)
	}
	return cmd
}

// twoBots returns the names of two bots of a cup: those given, or else the only two that it has.
func twoBots(c *archive.Cup, names []string) ([]string, error) {
	known := botNames(c)
	switch {
	case len(names) == 0 && len(known) == 2:
		return known, nil
	case len(names) == 0:
		return nil, fmt.Errorf("the cup in %s has more than two bots: name two of %s", c.Dir,
			strings.Join(known, ", "))
	case names[0] == names[1]:
		return nil, fmt.Errorf("%s is named twice: name two bots", names[0])
	}
	return names, checkBot(c, names...)
}

func botNames(c *archive.Cup) (names []string) {
	for i := range c.Plan.Bots {
		names = append(names, c.Plan.Bots[i].Name)
	}
	return names
}

// checkBot returns an error unless these are names of bots of a cup.
func checkBot(c *archive.Cup, names ...string) error {
	known := botNames(c)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the cup in %s has no bot %q; it has %s", c.Dir, name,
				strings.Join(known, ", "))
		}
	}
	return nil
}

// askAgain shows a bot of a cup what a player was shown in a recording.
func askAgain(
	ctx context.Context, cmd *cobra.Command, c *archive.Cup, v config.Values, o rerun.Options, bot,
	path string, player int,
) (*rerun.Report, error) {
	g := gameList.Find(c.Plan.Game)
	if g == nil {
		return nil, fmt.Errorf("this program has no game %q", c.Plan.Game)
	}
	i := slices.IndexFunc(c.Plan.Bots, func(b plan.Bot) bool { return b.Name == bot })
	spec, err := source.Restart(ctx, c.Dir, c.Plan, i,
		seat.Known{Game: g.Name, HTTTX: g.BotAPI, Builtin: g.NewBuiltin})
	if err != nil {
		return nil, err
	}
	switch spec.Kind {
	case seat.Process:
		o.Argv, o.Stdio = spec.Argv, spec.Stdio
		if o.Isolate, err = cli.Isolation(ctx, v, cli.Bots([]seat.Spec{spec}, false)); err != nil {
			return nil, usage(err)
		}
	case seat.Builtin:
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		o.Argv = []string{self, "bot", spec.Builtin, "--port", "{port}", "--seed", "{seed}"}
	default:
		return nil, errors.New("a bot that is dialled cannot be asked again")
	}
	said := tui.NewProgress(cmd.ErrOrStderr(), bot)
	o.Path, o.Seat, o.Progress = path, player, said.Step
	r, err := rerun.Run(ctx, o)
	said.Done()
	if failed := (*rerun.BotError)(nil); errors.As(err, &failed) {
		printBotError(cmd.ErrOrStderr(), failed)
	}
	return r, err
}

// tellWhy prints an answer.
func tellWhy(w io.Writer, o *why.Options, answer *why.Answer) error {
	var b strings.Builder
	a, other := tui.Plain(o.A), tui.Plain(o.B)
	if t := answer.Itself; t != nil {
		fmt.Fprintf(&b,
			"%s differs from itself: asked again in match %d, it answers otherwise from turn %d on.\n",
			tui.Plain(answer.Unsteady), t.K, t.Turn)
		writeTurn(&b, t)
		fmt.Fprintf(&b,
			"So a turn in which %s and %s differ may be chance. The most decisive matches:\n\n", a, other)
		for i := range answer.Matches {
			m := &answer.Matches[i]
			writeMatch(&b, o, m)
			fmt.Fprintf(&b, "  hexarena replay show %s\n\n", launch.Quote([]string{m.File}))
		}
	}
	for i := range answer.Turns {
		t, m := &answer.Turns[i], &answer.Matches[i]
		writeMatch(&b, o, m)
		if !t.Differs() {
			fmt.Fprintf(&b, "  in place of %s, %s answers the same in all %d turns\n\n", a, other,
				t.Compared)
			continue
		}
		fmt.Fprintf(&b, "  in place of %s, %s answers otherwise in turn %d:\n", a, other, t.Turn)
		writeTurn(&b, t)
		b.WriteByte('\n')
	}
	_, err := io.WriteString(colorprofile.NewWriter(w, os.Environ()), b.String())
	return err
}

func writeTurn(b *strings.Builder, t *why.Turn) {
	fmt.Fprintf(b, "  recorded %s\n  answered %s\n  hexarena replay show %s --turn %d\n",
		tui.Plain(t.RecordedActs), tui.Plain(t.AnsweredActs), launch.Quote([]string{t.File}), t.Turn)
}

// writeMatch writes who won a match, its ranking and the turns that decided.
func writeMatch(b *strings.Builder, o *why.Options, m *why.Match) {
	result := "neither won"
	if m.Winner != "" {
		result = tui.Plain(m.Winner) + " won"
	}
	fmt.Fprintf(b, "match %d on %s: %s; %s %d, %s %d\n", m.K, tui.Plain(m.Map), result,
		tui.Plain(o.A), m.ScoreA, tui.Plain(o.B), m.ScoreB)
	tui.RankingTable(m.Report, true).Write(b)
	writeDecisions(b, m.Decided)
}

// writeDecisions writes the turns that decided.
func writeDecisions(b *strings.Builder, list []result.Decision) {
	for _, d := range list {
		fmt.Fprintf(b, "  %s decided: %s\n", match.NameTurn(d.Turn),
			tui.Plain(strings.Join(d.About, "; ")))
		for _, line := range d.Played {
			fmt.Fprintf(b, "    %s\n", tui.Plain(line))
		}
	}
}
