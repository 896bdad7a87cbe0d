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

	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games/picture"
	"github.com/hexarena/hexarena/server/recording"
)

func newReplayExport() *cobra.Command {
	var (
		o          export.Options
		name, file string
		names      []string
		long       strings.Builder
	)
	formats := export.Formats(gameList)
	for _, f := range formats {
		names = append(names, f.Name)
		fmt.Fprintf(&long, "\n  %-5s %s", f.Name, f.About)
	}
	cmd := &cobra.Command{
		Use:   "export FILE --format " + strings.Join(names, "|"),
		Short: "Write the states, the curves, pictures or a page of a recording",
		Long: "Write a recording in another format:\n" + long.String() + `

Without -o, texts are written to standard output, and all others to a file in the current
folder that is named after the recording.`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&name, "format", "", strings.Join(names, ", "))
	f.StringVarP(&file, "output", "o", "", "file to write; - is standard output")
	f.IntVar(&o.Turn, "turn", export.LastTurn, "the turn of a picture; -1 is the last")
	f.IntVar(
		&o.Size, "size", 0,
		fmt.Sprintf("longer side of a picture in pixels, %d to %d; 0 for %d, and %d of an animation",
			picture.MinSize, picture.MaxSize, export.PNGSize, export.GIFSize),
	)
	f.BoolVar(&o.Light, "light", false, "draw on a light background")
	f.IntVar(&o.From, "from", 0, "first turn of an animation")
	f.IntVar(&o.To, "to", export.LastTurn,
		"last turn of an animation; -1 is the last turn of the match")
	f.IntVar(&o.Every, "every", 0,
		fmt.Sprintf("show every nth turn; 0 chooses n so that there are up to %d", export.GIFFrames))
	f.Float64Var(&o.FPS, "fps", 10, "turns per second of an animation")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		i := slices.IndexFunc(formats, func(f export.Format) bool { return f.Name == name })
		if i < 0 {
			return usageErrorf("--format: %q is not one of %s", name, strings.Join(names, ", "))
		}
		format := &formats[i]
		if err := checkFormat(formats, format, cmd.Flags()); err != nil {
			return err
		}
		target := file
		switch {
		case target == "" && format.Text:
			target = "-"
		case target == "":
			target = strings.TrimSuffix(filepath.Base(args[0]), recording.Extension) + "." + format.Name
		}
		err := replayed(cmd, args[0], func(ctx context.Context, r export.Recording) error {
			return export.ToFile(target, cmd.OutOrStdout(), func(w io.Writer) error {
				out := bufio.NewWriter(w)
				return errors.Join(format.Write(ctx, out, r, o), out.Flush())
			})
		})
		if err == nil && file == "" && target != "-" {
			fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s\n", target)
		}
		return err
	}
	cmd.ValidArgsFunction = completeRecordings
	completeWords(cmd, "format", names)
	return cmd
}

// checkFormat returns an error for a flag that was given and has no effect in the format.
func checkFormat(formats []export.Format, f *export.Format, flags *pflag.FlagSet) (err error) {
	flags.Visit(func(flag *pflag.Flag) {
		takers := export.Takers(formats, flag.Name)
		if err == nil && len(takers) > 0 && !slices.Contains(takers, f.Name) {
			err = usageErrorf("--%s: it is for %s; leave it out for %s", flag.Name,
				strings.Join(takers, " and "), f.Name)
		}
	})
	return err
}
