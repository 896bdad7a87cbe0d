package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
)

// flagError makes an error of parsing flags say which one, what was given and
// what would do.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		if fit := fitting(f.Value.Type()); fit != "" {
			return fmt.Errorf("--%s: %q is not %s", f.Name, invalid.GetValue(), fit)
		}
	}
	return config.FlagError(cmd.Flags(), err)
}

// fitting is what a flag of that type takes.
func fitting(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 to 18446744073709551615"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, such as 500ms or 10s"
	case "bool":
		return "true or false"
	}
	return ""
}

// explainArguments has a command and those below it answer arguments that do not
// fit with what they are to be given.
func explainArguments(cmd *cobra.Command) {
	if fits := cmd.Args; fits != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := fits(cmd, args)
			switch {
			case err == nil:
				return nil
			case len(args) == 0:
				return fmt.Errorf("something is missing; write: %s", cmd.UseLine())
			}
			return fmt.Errorf("%q does not fit; write: %s", strings.Join(args, " "), cmd.UseLine())
		}
	}
	if cmd.HasParent() && cmd.HasSubCommands() && !cmd.Runnable() {
		cmd.RunE = helpOrComplain
	}
	for _, c := range cmd.Commands() {
		explainArguments(c)
	}
}

// helpOrComplain is what a command does that only holds others.
func helpOrComplain(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("%s: there is no %q; there are %s", cmd.CommandPath(), args[0], strings.Join(names, ", "))
}
