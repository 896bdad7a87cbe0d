package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/result"
)

func newReplayShow() *cobra.Command {
	var (
		step, seat int
		asJSON     bool
		asText     bool
	)
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print the ranking and the course of a match, or what a bot was given",
		Long: `Print the ranking of a recorded match, as after hexarena play, and its course: the
first figure of each player every few turns, deaths, changes of the lead, and the turns that
decided between the best two: what both did in them. With --json, print the report that
hexarena play --json prints, as far as the recording has it, and these turns.

With --turn N, print turn N: what each player answered to TURN N, what was refused and why, and
what bots printed and showed as debug; with --json, the board of TURN N and the answers to it, in
the fields of hexarena replay export --format json. With --turn N and --player, print the TURN N
that this player received, as JSON, and on a second line what the bot printed then and what its
answer had as debug, if anything.

With --text, print the last board, or the one of --turn, as hexarena play --text does after each
turn.`,
		Args: cobra.ExactArgs(1),

		ValidArgsFunction: completeRecordings,
	}
	f := cmd.Flags()
	addTurn(f, &step, "turn", 0, "show this `turn`")
	addPlayer(f, &seat, 0, "show what the player with this id, from 0, was given; with --turn")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	addProgress(cmd)
	f.BoolVar(&asText, "text", false, "print the board as text")
	cmd.MarkFlagsMutuallyExclusive("text", "json")
	cmd.MarkFlagsMutuallyExclusive("text", "player")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		turned, seated := cmd.Flags().Changed("turn"), cmd.Flags().Changed("player")
		switch {
		case asText && turned:
			return showBoard(cmd, args[0], step)
		case asText:
			return showBoard(cmd, args[0], export.LastTurn)
		case asJSON && !turned && !seated:
			return showReport(cmd, args[0])
		case seated && !turned:
			return usageErrorf("--player %d needs a turn as well: add --turn", seat)
		case turned && seated:
			return showGiven(cmd, args[0], step, seat)
		case turned && asJSON:
			return showTurnJSON(cmd, args[0], step)
		case turned:
			return showTurn(cmd, args[0], step)
		}
		return showCourse(cmd, args[0])
	}
	return cmd
}

// showCourse prints the ranking and the course.
func showCourse(cmd *cobra.Command, path string) error {
	return replayed(cmd, path, func(ctx context.Context, r export.Recording) error {
		c, report, err := r.Course(ctx, false)
		if err != nil {
			return err
		}
		var b strings.Builder
		writeCourse(&b, c, report)
		decided, err := decisions(ctx, &r, c)
		if err != nil {
			return err
		}
		if len(decided) > 0 {
			b.WriteByte('\n')
		}
		writeDecisions(&b, decided)
		w := colorprofile.NewWriter(cmd.OutOrStdout(), os.Environ())
		if _, err := io.WriteString(w, b.String()); err != nil {
			return fmt.Errorf("write the course: %w", err)
		}
		return nil
	})
}

// showReport prints the report on the match as JSON.
func showReport(cmd *cobra.Command, path string) error {
	return replayed(cmd, path, func(ctx context.Context, r export.Recording) error {
		c, report, err := r.Course(ctx, true)
		if err != nil {
			return err
		}
		decided, err := decisions(ctx, &r, c)
		if err != nil {
			return err
		}
		return textutil.WriteJSON(cmd.OutOrStdout(), struct {
			*result.Report
			Recording string            `json:"recording"`
			Decided   []result.Decision `json:"decided,omitempty"`
		}{report, path, decided})
	})
}

// decisions returns the turns that decided between the best two players.
func decisions(
	ctx context.Context, r *export.Recording, c *result.Course,
) ([]result.Decision, error) {
	pairs := c.Rivals(1)
	if len(pairs) == 0 {
		return nil, nil
	}
	return r.Decisions(ctx, c, pairs[0][0], pairs[0][1])
}

func writeCourse(b *strings.Builder, c *result.Course, report *result.Report) {
	h := c.Header
	where := ""
	if h.MapName != "" {
		where = " on " + tui.Plain(h.MapName)
	}
	fmt.Fprintf(b, "%s%s, %d of %d turns, seed %d, %s: %s\n\n", tui.Plain(
		h.RulesName()), where, c.Last().Step, h.Turns, h.Seed,
		h.Started.Local().Format("2006-01-02 15:04"), tui.Outcome(report))
	tui.RankingTable(report, true).Write(b)
	if len(h.Counts) > 0 {
		fmt.Fprintf(b, "\n%s:\n\n", tui.Plain(h.Counts[0]))
		curves(c).Write(b)
	} else {
		b.WriteString("\nThe rules ran in another program, which gave no figures.\n")
	}
	if len(c.Events) > 0 {
		b.WriteByte('\n')
	}
	for _, e := range c.Events {
		fmt.Fprintf(b, "  %s: %s %s\n", match.NameShown(e.Step),
			seatName(h, e.Player), tui.Plain(e.Text))
	}
}

// curves returns a table with a line for each sample and a column for each player.
func curves(c *result.Course) *tui.Table {
	t := &tui.Table{Columns: []tui.Column{tui.Right(""), tui.Right("turn")}}
	order := c.Order()
	for _, id := range order {
		t.Columns = append(t.Columns, tui.Right(tui.Plain(c.Header.Seats[id].Name())))
	}
	for i := range c.Samples {
		s := &c.Samples[i]
		row := []string{"", export.TurnArg(s.Step)}
		for _, id := range order {
			row = append(row, strconv.FormatInt(c.Figures(s, id)[0], 10))
		}
		t.Add(row...)
	}
	return t
}

// replayTo replays a recording up to the board of a turn, as [export.Recording.ReplayTo].
func replayTo(cmd *cobra.Command, path string, step int, board, answers export.See) error {
	return replayed(cmd, path, func(ctx context.Context, r export.Recording) error {
		return r.ReplayTo(ctx, step, board, answers)
	})
}

// showTurnJSON prints the board of a turn and the answers to it as JSON.
func showTurnJSON(cmd *cobra.Command, path string, step int) error {
	var shown *export.JSONTurn
	err := replayTo(cmd, path, step, func(p *recording.Replay, t *recording.Turn) error {
		shown = export.TurnJSON(p, t)
		shown.State = slices.Clone(shown.State)
		shown.Inputs, shown.Printed = []export.JSONInput{}, nil
		if t.Step == 0 {
			shown.Printed = slices.Clone(t.Printed)
		}
		return nil
	}, func(p *recording.Replay, t *recording.Turn) error {
		answers := export.TurnJSON(p, t)
		shown.Inputs, shown.Printed = answers.Inputs, append(shown.Printed, answers.Printed...)
		return nil
	})
	if err != nil {
		return err
	}
	return textutil.WriteJSON(cmd.OutOrStdout(), shown)
}

// showGiven prints the message that showed a player the board of a turn, and what the bot did then.
func showGiven(cmd *cobra.Command, path string, step, seat int) error {
	return replayTo(cmd, path, step, func(p *recording.Replay, t *recording.Turn) error {
		if err := rerun.CheckSeat(p.Reader().Header(), seat); err != nil {
			return usageErrorf("--player: %w", err)
		}
		message, err := rerun.AppendMessage(nil, p, t, engine.PlayerID(seat))
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(textutil.EscapeJSON(message[frameHeader:]))
		return err
	}, func(_ *recording.Replay, t *recording.Turn) error {
		said, some := sayingOf(t, engine.PlayerID(seat))
		if !some {
			return nil
		}
		return textutil.WriteJSONLine(cmd.OutOrStdout(), said)
	})
}

// saying is what a bot printed and showed in a turn.
type saying struct {
	Turn    int             `json:"turn"` // number of the TURN; −1 before TURN 0
	Player  engine.PlayerID `json:"player"`
	Printed []string        `json:"printed,omitempty"`
	Lost    int             `json:"lost,omitempty"` // number of lines that were printed before these
	Debug   json.RawMessage `json:"debug,omitempty"`
}

// sayingOf returns what a player printed and showed in a turn; some is false if it did neither. Of
// two answers, the debug of the one applied last counts.
func sayingOf(t *recording.Turn, id engine.PlayerID) (s saying, some bool) {
	s.Turn, s.Player = match.AnsweredIn(t.Step), id
	for _, o := range t.Printed {
		if o.Player == id {
			s.Printed, s.Lost, some = o.Lines, o.Lost, true
		}
	}
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Player == id && json.Valid(in.Debug) {
			s.Debug, some = in.Debug, true
		}
	}
	return s, some
}

// frameHeader is the size in bytes of the header of a message on the wire.
const frameHeader = 4

// showTurn prints the number of a board, and what players answered to it.
func showTurn(cmd *cobra.Command, path string, step int) error {
	var b strings.Builder
	answered := false
	err := replayTo(cmd, path, step, func(p *recording.Replay, t *recording.Turn) error {
		fmt.Fprintf(&b, "%s, %.3f s after the start%s; state %s\n",
			match.NameBoard(t.Step, p.Reader().Header().Turns), t.At.Seconds(), boardOf(p, t), t.Digest)
		if t.Step == 0 {
			writeAnswers(&b, p, t) // what bots printed before the start
		}
		return nil
	}, func(p *recording.Replay, t *recording.Turn) error {
		answered = true
		writeAnswers(&b, p, t)
		return nil
	})
	if err != nil {
		return err
	}
	if !answered {
		b.WriteString("\nno answer to this board is recorded\n")
	}
	_, err = io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}

// writeAnswers writes what players did in a step, and what bots printed.
func writeAnswers(b *strings.Builder, p *recording.Replay, t *recording.Turn) {
	h := p.Reader().Header()
	for _, d := range t.Left {
		fmt.Fprintf(b, "%s left: %s\n", seatName(h, d.Player), tui.Plain(d.Reason))
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		fmt.Fprintf(b, "\n%s", seatName(h, in.Player))
		if in.Lapse != engine.Answered {
			fmt.Fprintf(b, ": %s\n", in.Lapse)
			continue
		}
		fmt.Fprintf(b, " answered TURN %d after %.3f ms:\n", in.Input.Turn,
			float64(in.Took.Microseconds())/1000)
		for _, act := range p.Acts(t, i) {
			fmt.Fprintf(b, "  %s\n", tui.Plain(act))
		}
		if n := in.Abridged.Bytes; n > 0 {
			fmt.Fprintf(b,
				"  (it had %d bytes and no effect: of such an answer, this is all that is recorded)\n", n)
		}
		if in.Debug != nil {
			fmt.Fprintf(b, "  debug: %s\n", tui.Plain(string(in.Debug)))
		}
	}
	for _, o := range t.Printed {
		fmt.Fprintf(b, "\n%s printed:\n", seatName(h, o.Player))
		if omission := o.Omission(); omission != "" {
			fmt.Fprintf(b, "  %s\n", omission)
		}
		for _, line := range o.Lines {
			fmt.Fprintf(b, "  %s\n", tui.Plain(line))
		}
	}
}

// boardOf returns by which message players received a board, in words; "" if that is a TURN.
func boardOf(p *recording.Replay, t *recording.Turn) string {
	switch {
	case t.Step == 0:
		return ", the board of GAME_STARTS"
	case rerun.Ended(p, t):
		return ", the board of GAME_ENDS"
	}
	return ""
}

// seatName returns how the output names a player.
func seatName(h *recording.Header, id engine.PlayerID) string {
	return fmt.Sprintf("player %d (%s)", id, tui.Plain(h.Seats[id].Name()))
}
