package main

import (
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
page. Afterwards nothing in DIR has its name, its token, its code or what its bots printed: logs,
versions, recordings of its matches, exams and exports in the folder. Its matches count for the
others, under its number. What others have exported stays theirs.

The event must not be running: while it runs, type "forget TEAM", or use the page /admin.
If this is interrupted, the next start of the event completes it. A line of a class list signs the
team up again: remove it, too.`,
		Example: `  hexarena event forget "The Hexagon Breakers" friday`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := eventDir
			if len(args) > 1 {
				dir = args[1]
			}
			if !event.IsEvent(dir) {
				return usageErrorf("there is no event in the folder %s: name the folder of one", dir)
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
			removed, err := e.Forget(team)
			if err == nil {
				err = e.RemoveQueue()
			}
			if err != nil {
				return err
			}
			out.text("Forgot team %d.\n", team+1)
			if note := rounds.ForgetNote(removed); note != "" {
				out.text("%s\n", note)
			}
			return out.value(struct {
				Team    int      `json:"team"`
				Removed []string `json:"removed"` // other files, since they name it
			}{team + 1, append([]string{}, removed...)})
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

// forgetRunning forgets a team of an event that runs.
func forgetRunning(e *event.Event, r *rounds.Rounds, text string) error {
	team, err := teamNamed(e, text)
	if err == nil {
		_, err = r.ForgetTeam(team)
	}
	return err
}
