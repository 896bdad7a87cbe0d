package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/maps/picture"
	"github.com/hexarena/hexarena/server/recording"
)

// format is a format in which a recording can be written.
type format struct {
	name  string
	what  string
	flags []string // that it takes beside those of all formats
	text  bool     // it goes to standard output unless a file is named
	write func(x *export, w io.Writer) error
}

// formats are the formats of all games; the notations of games come after them.
var formats = []format{
	{"json", "every state, with the actions that led to it", nil, true, exportJSON},
	{"csv", "the figures of each player after each turn, a line for each", nil, true, exportCSV},
	{"svg", "a drawing of the board after the last turn, or the one of --turn", []string{"turn"}, true, exportSVG},
	{"png", "a picture of the board after the last turn, or the one of --turn", []string{"turn", "size", "light"}, false, exportPNG},
	{"gif", "an animation of the match, or of some turns of it", []string{"size", "light", "from", "to", "every", "fps"}, false, exportGIF},
	{"html", "the page with the match in it, one file that opens without a network", nil, false, exportHTML},
}

// export writes a recording in a format.
type export struct {
	ctx    context.Context // of the command
	path   string
	stderr io.Writer
	turn   int // of a picture

	size  int // of a picture's longer side in pixels; 0: the format's default
	light bool

	from, to, every int // turns of an animation; every 0: up to gifFrames of them
	fps             float64
}

const lastTurn = -1

// replay plays the recording again, as replayFile does.
func (x *export) replay(see func(*recording.Replay, *recording.Turn) error) error {
	return replayFile(x.ctx, x.path, x.stderr, see)
}

// named returns err with the path of the recording.
func (x *export) named(err error) error {
	return fmt.Errorf("%s: %w", x.path, withoutPath(err, x.path))
}

func newReplayExport() *cobra.Command {
	var (
		x          export
		name, file string
		names      []string
		long       strings.Builder
	)
	formats := slices.Concat(formats, notationFormats())
	for _, f := range formats {
		names = append(names, f.name)
		fmt.Fprintf(&long, "\n  %-5s %s", f.name, f.what)
	}
	cmd := &cobra.Command{
		Use:   "export FILE --format " + strings.Join(names, "|"),
		Short: "Write the states, the curves, pictures or a page of a recording",
		Long: "Write a recording in another format:\n" + long.String() + `

Without -o, texts go to standard output, and the others to a file in this folder
that has the name of the recording.`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&name, "format", "", strings.Join(names, ", "))
	f.StringVarP(&file, "output", "o", "", "file to write; - is standard output")
	f.IntVar(&x.turn, "turn", lastTurn, "the turn of a picture; -1 is the last")
	f.IntVar(&x.size, "size", 0, fmt.Sprintf("longer side of a picture in pixels, %d to %d; 0: 1280, of an animation %d", picture.MinSize, picture.MaxSize, gifSize))
	f.BoolVar(&x.light, "light", false, "draw on a light ground")
	f.IntVar(&x.from, "from", 0, "first turn of an animation")
	f.IntVar(&x.to, "to", lastTurn, "last turn of an animation; -1 is the last of all")
	f.IntVar(&x.every, "every", 0, fmt.Sprintf("show every so many turns; 0: up to %d of them", gifFrames))
	f.Float64Var(&x.fps, "fps", 10, "turns that an animation shows in a second")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
		if i < 0 {
			return usageErrorf("--format: %q is none of %s", name, strings.Join(names, ", "))
		}
		format := &formats[i]
		if err := format.check(cmd.Flags()); err != nil {
			return err
		}
		x.ctx, x.path, x.stderr = cmd.Context(), args[0], cmd.ErrOrStderr()
		target := file
		switch {
		case target == "" && format.text:
			target = "-"
		case target == "":
			target = strings.TrimSuffix(filepath.Base(x.path), recording.Extension) + "." + format.name
		}
		err := writeTo(target, cmd.OutOrStdout(), func(w io.Writer) error {
			out := bufio.NewWriter(w)
			return errors.Join(format.write(&x, out), out.Flush())
		})
		if err == nil && file == "" && target != "-" {
			fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s\n", target)
		}
		return err
	}
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check returns an error for a flag that was given and has no effect in the format.
func (f *format) check(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(flag *pflag.Flag) {
		var takers []string
		for _, other := range formats {
			if slices.Contains(other.flags, flag.Name) {
				takers = append(takers, other.name)
			}
		}
		if err == nil && len(takers) > 0 && !slices.Contains(f.flags, flag.Name) {
			err = usageErrorf("--%s: it is for %s; leave it out for %s", flag.Name, strings.Join(takers, " and "), f.name)
		}
	})
	return err
}
