package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

func newEventForget() *cobra.Command {
	var out *output
	cmd := &cobra.Command{
		Use:   "forget TEAM [DIR]",
		Short: "Remove a team for good, with all that it made",
		Long: `Remove a team from an event for good. TEAM is its name, or the number in the address of its
page. Afterwards nothing that hexarena wrote to DIR has its name, its token, its code or what its
bots printed: logs, versions, recordings of its matches, exams and exports. Its matches count for
the others, under its number. Other files in DIR that name it, such as a class list, are listed.

The event must not be running: while it runs, type "forget TEAM", or use the page /admin.
If this is interrupted, the next start of the event completes it.`,
		Example: `  hexarena event forget "The Hexagon Breakers" friday`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := folderOfEvent(args[1:])
			if err != nil {
				return err
			}
			e, err := event.Reopen(dir)
			if err != nil {
				return err
			}
			defer e.Close()
			team, err := teamNamed(e, args[0])
			if err != nil {
				return usage(err)
			}
			foreign, err := e.Forget(team)
			if err == nil {
				err = e.RemoveQueue()
			}
			if err != nil {
				return err
			}
			out.text("Forgot team %d.\n", team+1)
			if note := rounds.ForgetNote(foreign); note != "" {
				out.text("%s\n", note)
			}
			return out.value(struct {
				Team int `json:"team"`
				event.Foreign
			}{team + 1, foreign})
		},
	}
	out = addOutput(cmd)
	return cmd
}

// teamNamed returns the number of the team that a text names.
func teamNamed(e *event.Event, text string) (team int, err error) {
	e.Read(func(s *state.State) { team, err = s.Teams.Find(text) })
	return team, err
}

// forgetRunning forgets a team of an event that runs, and prints what the operator has to know.
func forgetRunning(out io.Writer, e *event.Event, r *rounds.Rounds, text string) error {
	team, err := teamNamed(e, text)
	if err != nil {
		return err
	}
	note, err := r.ForgetTeam(team)
	if note != "" {
		fmt.Fprintln(out, note)
	}
	return err
}
