package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup/site"
	"github.com/hexarena/hexarena/server/event"
	eventsite "github.com/hexarena/hexarena/server/event/site"
)

// siteDir is the folder in that of a cup into which it is exported, unless another one is named.
const siteDir = "site"

// usualReplays is the number of replays an export has unless told otherwise. Each is the whole page
// with a match in it, a few hundred kilobytes.
const usualReplays = 100

func newCupExport() *cobra.Command {
	o := site.Options{Games: gameList}
	cmd := &cobra.Command{
		Use:   "export [DIR]",
		Short: "Write a cup as CSV, JSON and a page that opens offline",
		Long: `Write all matches and the standings of a cup as CSV and JSON, and a page with the
standings, the cross-table, the errors and links to replays, which opens without a
server or a network. It may run while the cup is played. Of an event it writes the order
that its pages show, with the names of teams, and no void match.

Without DIR it exports the cup in the folder cups that was played last.`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().StringVar(&o.Dir, "out", "", "the folder to write (default: "+siteDir+" in the cup's)")
	cmd.Flags().IntVar(&o.Replays, "replays", usualReplays,
		"replays to write at most, of the recordings that were kept")
	out := addOutput(cmd)
	addProgress(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if o.Replays < 0 {
			return usageErrorf("--replays: %d is below 0", o.Replays)
		}
		if o.Cup, err = openCup(args); err != nil {
			return err
		}
		if o.Dir == "" {
			o.Dir = filepath.Join(o.Cup.Dir, siteDir)
		}
		if event.IsEvent(o.Cup.Dir) {
			if err := exportEvent(&o); err != nil {
				return err
			}
		}
		said := tui.NewProgress(cmd.ErrOrStderr(), tui.Plain(o.Dir))
		o.Progress = func(unit string, done, total int) { said.Of(unit).Step(done, total) }
		r, err := site.Write(cmd.Context(), o)
		said.Done()
		if cmd.Context().Err() != nil {
			return cli.ErrInterrupted
		}
		if err != nil {
			return err
		}
		for _, err := range r.Failed {
			fmt.Fprintln(cmd.ErrOrStderr(), tui.Plain(err.Error()))
		}
		left := ""
		if r.Left > 0 {
			left = fmt.Sprintf(", of %d recordings; --replays writes more", r.Replays+len(r.Failed)+r.Left)
		}
		page := filepath.Join(o.Dir, "index.html")
		return out.print(struct {
			Matches int    `json:"matches"`
			Replays int    `json:"replays"`
			Left    int    `json:"left"` // recordings without a replay, beyond --replays
			Failed  int    `json:"failed"`
			Page    string `json:"page"`
		}{r.Matches, r.Replays, r.Left, len(r.Failed), page}, "Wrote %s and %s%s\nOpen %s\n",
			textutil.Counted(r.Matches, "match", "matches"),
			textutil.Counted(r.Replays, "replay", "replays"), left, page)
	}
	return cmd
}

// exportEvent changes what is written of a cup to the standings and the names of an event.
func exportEvent(o *site.Options) error {
	a, err := event.ReadArchive(o.Cup.Dir)
	if err != nil {
		return err
	}
	o.Row = a.Row
	o.Tables = func(kept []site.Match) map[string]func(io.Writer) error {
		var replays []eventsite.Replay
		for _, m := range kept {
			replays = append(replays, eventsite.Replay{Match: m.K + 1, Bots: m.Bots, Path: m.Replay})
		}
		return map[string]func(io.Writer) error{
			"standings.csv":  a.Result.WriteCSV,
			"standings.json": a.Result.WriteJSON,
			"index.html": func(w io.Writer) error {
				return eventsite.WritePage(w, a.Result, o.Cup.Name(), replays)
			},
		}
	}
	return nil
}
