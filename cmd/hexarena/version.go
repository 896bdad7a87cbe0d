package main

import (
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
)

// version is set by release builds; see the Makefile.
var version = "dev"

// versionText returns the version, and the commit that it was built from if known.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return version + "-" + s.Value[:12]
			}
		}
	}
	return version
}

// commitText returns the commit that the program was built from, with a "+" if files had changed
// since; "" if it is not known.
func commitText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}

// programOf returns what a command knows of this program, and its streams.
func programOf(cmd *cobra.Command) cli.Program {
	return cli.Program{
		Games: gameList, Version: versionText(), Commit: commitText(),
		Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(),
	}
}

// printVersion gives the root the flag --version. Any of cobra's templates, and so its own such
// flag, would have the linker keep every exported method of every type, a seventh of the program.
func printVersion(root *cobra.Command) {
	wanted := root.Flags().BoolP("version", "v", false, "print the version")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *wanted {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionText())
			return err
		}
		return run(cmd, args)
	}
}

func newVersion() *cobra.Command {
	var licenses bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, or the licenses of all packages in the program",
		Args:  cobra.NoArgs,
	}
	out := addOutput(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if licenses {
			_, err := fmt.Fprint(cmd.OutOrStdout(), thirdParty)
			return err
		}
		built := struct {
			Version string `json:"version"`
			Commit  string `json:"commit"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Arch    string `json:"arch"`
		}{versionText(), commitText(), runtime.Version(), runtime.GOOS, runtime.GOARCH}
		return out.print(built, "%s\nbuilt with %s for %s/%s\n", // scripts read the first line
			built.Version, built.Go, built.OS, built.Arch)
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false,
		"print the licenses of the packages in the program and in its page")
	cmd.MarkFlagsMutuallyExclusive("licenses", "json")
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "licences" { // the British spelling
			name = "licenses"
		}
		return pflag.NormalizedName(name)
	})
	return cmd
}

// thirdParty holds the licenses of all packages in the program, which they require to be with it. A
// test writes the file.
//
//go:embed third_party.txt
var thirdParty string
