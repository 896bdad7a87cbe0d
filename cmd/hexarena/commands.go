package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// commandGroup is a heading of the help, and the commands below it.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// commandGroups returns the commands that most users need, by what they do with them.
func commandGroups() []commandGroup {
	return []commandGroup{
		{"Make", []*cobra.Command{newNew(), newPlay()}},
		{"Host", []*cobra.Command{newServe()}},
		{"Look back", []*cobra.Command{newReplay(), newMaps()}},
	}
}

// otherCommands returns the commands that hexarena help more lists.
func otherCommands() []*cobra.Command {
	list := []*cobra.Command{newBot(), newTokens(), newConfig(), newHealth(), newInstall(), newVersion()}
	for _, program := range programs {
		list = append(list, program())
	}
	return list
}

// newRoot makes the program's command. Its help shows the groups.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "hexarena",
		Short: "Bots fight on hexagonal boards",
		Long: `hexarena plays matches between bots on hexagonal boards.

  hexarena play                     watch a match of four built-in bots
  hexarena new my_bot.py            write a starter bot
  hexarena play my_bot.py painter   let it play
  hexarena serve                    host a match for bots that connect`,
	}
	groups := commandGroups()
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	root.AddCommand(otherCommands()...)
	oldAnalyse := newAnalyse() // replay analyse, as it was called before
	oldAnalyse.Hidden = true
	root.AddCommand(oldAnalyse, newTournament())
	root.InitDefaultCompletionCmd()
	root.AddCommand(newMore(root, groups))
	root.SetUsageFunc(rootUsage(root, groups))
	root.SetFlagErrorFunc(flagError)
	explainArguments(root)
	return root
}

// rootUsage returns what prints the commands of the groups, and for other commands than root what
// cobra prints.
func rootUsage(root *cobra.Command, groups []commandGroup) func(*cobra.Command) error {
	usual := root.UsageFunc()
	return func(cmd *cobra.Command) error {
		if cmd != root {
			return usual(cmd)
		}
		var b strings.Builder
		for _, g := range groups {
			fmt.Fprintf(&b, "%s:\n", g.title)
			listCommands(&b, g.commands)
			b.WriteByte('\n')
		}
		b.WriteString("hexarena help COMMAND explains a command, and hexarena help more lists the others.\n")
		_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
		return err
	}
}

// newMore makes the topic of the help that lists the commands that are in no group.
func newMore(root *cobra.Command, groups []commandGroup) *cobra.Command {
	grouped := map[*cobra.Command]bool{}
	for _, g := range groups {
		for _, cmd := range g.commands {
			grouped[cmd] = true
		}
	}
	var others []*cobra.Command
	for _, cmd := range root.Commands() { // in the order of their names
		if !grouped[cmd] && cmd.IsAvailableCommand() {
			others = append(others, cmd)
		}
	}
	var b strings.Builder
	b.WriteString("The other commands of hexarena:\n\n")
	listCommands(&b, others)
	return &cobra.Command{Use: "more", Short: "List the other commands", Long: b.String(), Hidden: true}
}

func listCommands(b *strings.Builder, list []*cobra.Command) {
	for _, cmd := range list {
		fmt.Fprintf(b, "  %-12s %s\n", cmd.Name(), cmd.Short)
	}
}
