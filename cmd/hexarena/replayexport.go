package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
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
		Use:   "export FILE|FOLDER --format " + strings.Join(names, "|"),
		Short: "Write the states, arrays, curves, pictures or a page of a recording",
		Long: "Write a recording in another format:\n" + long.String() + `

Without -o, texts are written to standard output, and all others to a file in the current
folder that is named after the recording. Of a FOLDER all recordings are written, each to
a file of its own, below the folder that -o names.`,
		Args: cobra.ExactArgs(1),
	}
	addProgress(cmd)
	f := cmd.Flags()
	f.StringVar(&name, "format", "", strings.Join(names, ", "))
	f.StringVarP(&file, "output", "o", "",
		"file to write, or folder for those of a FOLDER; - is standard output")
	addTurn(f, &o.Turn, "turn", export.LastTurn, "the `turn` of a picture")
	f.IntVar(
		&o.Size, "size", 0,
		fmt.Sprintf("longer side of a picture in pixels, %d to %d; 0 for %d, and %d of an animation",
			picture.MinSize, picture.MaxSize, export.PNGSize, export.GIFSize),
	)
	f.BoolVar(&o.Light, "light", false, "draw on a light background")
	addTurn(f, &o.From, "from", 0, "first `turn` of an animation")
	addTurn(f, &o.To, "to", export.LastTurn, "last `turn` of an animation")
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
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return exportFolder(cmd, args[0], file, format, o)
		}
		target := file
		switch {
		case target == "" && format.Text:
			target = "-"
		case target == "":
			target = exportName(args[0], format)
		}
		err := exportFile(cmd, args[0], target, format, o)
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

// exportName returns the name of the file that a recording is written to.
func exportName(path string, f *export.Format) string {
	return strings.TrimSuffix(filepath.Base(path), recording.Extension) + "." + f.Name
}

// exportFile writes a recording to a file, or for - to standard output.
func exportFile(
	cmd *cobra.Command, path, target string, f *export.Format, o export.Options,
) error {
	return replayed(cmd, path, func(ctx context.Context, r export.Recording) error {
		return export.ToFile(target, cmd.OutOrStdout(), func(w io.Writer) error {
			out := bufio.NewWriter(w)
			if err := f.Write(ctx, out, r, o); err != nil {
				return err // Flush would return the same one
			}
			return out.Flush()
		})
	})
}

// exportFolder writes all recordings of a folder to another folder. What is wrong with one does not
// stop the others.
func exportFolder(
	cmd *cobra.Command, dir, to string, f *export.Format, o export.Options,
) error {
	if to == "-" {
		return usageErrorf("--output: - is for one recording; name a folder for those of %s", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var list []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == recording.Extension {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("%s has no recordings: files that end in %s; hexarena cup --keep all keeps "+
			"those of all its matches", dir, recording.Extension)
	}
	if to != "" {
		if err := os.MkdirAll(to, 0o777); err != nil {
			return err
		}
	}
	var wrong []error
	for _, path := range list {
		err := exportFile(cmd, path, filepath.Join(to, exportName(path, f)), f, o)
		if errors.Is(err, cli.ErrInterrupted) {
			return err
		}
		wrong = append(wrong, err)
	}
	err = errors.Join(wrong...)
	if err == nil {
		fmt.Fprintf(cmd.OutOrStdout(), "Wrote %d files to %s\n", len(list), cmp.Or(to, "."))
	}
	return err
}
