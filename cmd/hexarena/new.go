package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/bots"
)

func newNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE.py",
		Short: "Write a starter bot to begin with",
		Long:  "Write a starter bot in Python, which needs no further package. docs/player.md walks through it.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if filepath.Ext(name) != ".py" {
				return fmt.Errorf("%q: the starter is a Python program; give it a name that ends in .py", name)
			}
			err := writeNew(name, bots.Starter(), 0o777)
			switch {
			case errors.Is(err, fs.ErrExist):
				return fmt.Errorf("%s exists already and is left as it is; choose another name", name)
			case err != nil:
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s. Let it play:\n\n    hexarena play %s painter random random\n", name, name)
			return nil
		},
	}
}

// writeNew writes a file, which must not exist. It removes a file that it cannot write whole.
func writeNew(name string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
