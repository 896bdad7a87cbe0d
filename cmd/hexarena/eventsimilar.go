package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/similar"
	"github.com/hexarena/hexarena/server/event"
)

const (
	// usualPairs is the number of pairs that are shown unless told otherwise: as many as a person
	// looks at.
	usualPairs = 20
	// comparedVersions is the number of a team's versions, the last ones, that are compared: those of
	// a day's end, and 40 teams take seconds.
	comparedVersions = 10
	// shownPassageLines bounds the lines of a shared passage that are printed.
	shownPassageLines = 12
)

func newEventSimilar() *cobra.Command {
	most := usualPairs
	cmd := &cobra.Command{
		Use:   "similar [DIR]",
		Short: "List the versions of different teams that are alike, with the lines that they share",
		Long: `List pairs of versions that teams of an event have sent and that are alike, also after
renaming, reformatting and reordering. What the starters and kits have does not count, nor what more
than ten teams share. The share is that of the smaller version that the other one has as well.
Versions without source in one of the six languages are not compared.

A pair is a reason to look at both, not a proof. Only who can read DIR sees the list. The event may
be running.`,
		Example: "  hexarena event similar friday",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 1 {
				return usageErrorf("--pairs %d: want 1 or more", most)
			}
			dir, err := folderOfEvent(args)
			if err != nil {
				return err
			}
			a, err := event.ReadArchive(dir)
			if err != nil {
				return err
			}
			said := tui.NewProgress(cmd.ErrOrStderr(), tui.Plain(dir)).Of("version")
			list := sentSources(a)
			pairs := findSimilar(list, said.Step)
			said.Done()
			return printSimilar(cmd.OutOrStdout(), list, pairs, most)
		},
	}
	addProgress(cmd)
	cmd.Flags().IntVar(&most, "pairs", most, "pairs to list at most")
	return cmd
}

// sentSource is a version with its source.
type sentSource struct {
	event.SentVersion
	files []similar.File
}

// sentSources returns the last versions of each team that have source.
func sentSources(a *event.Archive) (list []sentSource) {
	for _, v := range a.Versions(comparedVersions) {
		one := sentSource{SentVersion: v}
		_ = filepath.WalkDir(v.Dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !similar.IsSource(path) {
				return nil // what cannot be read is not compared
			}
			if text, err := os.ReadFile(path); err == nil {
				name, _ := filepath.Rel(v.Dir, path)
				one.files = append(one.files, similar.File{Name: filepath.ToSlash(name), Text: text})
			}
			return nil
		})
		if len(one.files) > 0 {
			list = append(list, one)
		}
	}
	return list
}

// kitSources returns the files of all kits, which all bots may have.
func kitSources() (list []similar.File) {
	for _, k := range kits.All {
		names := slices.Concat(k.Library, slices.Collect(maps.Values(k.Starters)),
			slices.Collect(maps.Values(k.LookAhead)))
		for _, name := range names {
			list = append(list, similar.File{Name: name, Text: k.File(name)})
		}
	}
	return list
}

// findSimilar returns the pairs of versions that are alike.
func findSimilar(list []sentSource, progress func(done, total int)) []similar.Pair {
	var versions []similar.Version
	for _, v := range list {
		versions = append(versions, similar.Version{Team: v.Team, Files: v.files})
	}
	return similar.Find(versions, kitSources(), progress)
}

// printSimilar prints pairs of versions that are alike, with the lines that they share.
func printSimilar(w io.Writer, list []sentSource, pairs []similar.Pair, most int) error {
	_, err := fmt.Fprintf(w, "%s compared: %s\n", textutil.Counted(len(list), "version", "versions"),
		textutil.Counted(len(pairs), "pair is alike", "pairs are alike"))
	for i, p := range pairs[:min(most, len(pairs))] {
		fmt.Fprintf(w, "\n%d. %.0f %%: %s and %s\n", i+1, 100*p.Share, list[p.A].title(),
			list[p.B].title())
		for side, v := range []int{p.A, p.B} {
			fmt.Fprintf(w, "   shared lines of %s:%s\n", textutil.Cell(list[v].Name), ranges(p.Lines[side]))
		}
		printPassage(w, list[p.A].files, p.Lines[0])
	}
	return err
}

// title returns a version as it is listed.
func (v *sentSource) title() string {
	return fmt.Sprintf("%s (%s, %s)", textutil.Cell(v.Name), textutil.Cell(v.File), v.Digest[:8])
}

// ranges returns lines as text.
func ranges(list []similar.Lines) (text string) {
	for i, l := range list {
		if i == 0 || l.File != list[i-1].File {
			text += " " + textutil.Cell(l.File)
		}
		text += fmt.Sprintf(" %d-%d", l.First, l.Last)
	}
	return text
}

// printPassage prints the longest passage, or its beginning.
func printPassage(w io.Writer, files []similar.File, shared []similar.Lines) {
	longest := slices.MaxFunc(shared, func(a, b similar.Lines) int {
		return (a.Last - a.First) - (b.Last - b.First)
	})
	i := slices.IndexFunc(files, func(f similar.File) bool { return f.Name == longest.File })
	lines := strings.Split(string(files[i].Text), "\n")
	last := min(longest.Last, longest.First+shownPassageLines-1, len(lines))
	for n, line := range lines[longest.First-1 : last] {
		fmt.Fprintf(w, "   %5d  %s\n", longest.First+n, tui.PlainLines(line))
	}
}
