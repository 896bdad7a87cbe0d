package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
)

func newInstall() *cobra.Command {
	var force bool
	var out *output
	cmd := &cobra.Command{
		Use:   "install [FOLDER]",
		Short: "Install the commands netorcai and hexabomb (links)",
		Long: `Create links named netorcai and hexabomb in a folder, by default the one that
hexarena is in. Under these names hexarena behaves like these programs. Where links
are not possible, copies are made.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err == nil {
				self, err = filepath.EvalSymlinks(self)
			}
			if err != nil {
				return fmt.Errorf("find out where hexarena is: %w", err)
			}
			folder := filepath.Dir(self)
			if len(args) > 0 {
				folder = args[0]
			}
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				return fmt.Errorf("there is no folder %s; make it first, or name another one", folder)
			}
			return install(out, self, folder, force)
		},
	}
	out = addOutput(cmd)
	cmd.Flags().BoolVar(&force, "force", false, "replace existing files of these names")
	return cmd
}

// install puts every program into a folder and prints what it did. It returns all errors at
// the end.
func install(out *output, self, folder string, force bool) error {
	type placed struct {
		File   string `json:"file"`
		Result string `json:"result"` // such as "links to"
		Of     string `json:"of"`
	}
	var list []placed
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		path := filepath.Join(folder, name+filepath.Ext(self))
		what, err := place(self, path, force)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, placed{path, what, self})
		out.text("%s: %s %s\n", path, what, self)
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return out.value(list)
}

// place makes path a link to self, or a copy of it, and returns which.
func place(self, path string, force bool) (what string, err error) {
	source, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	if there, err := os.Stat(path); err == nil && os.SameFile(source, there) {
		return "is already", nil
	}
	switch there, err := os.Lstat(path); {
	case err == nil && there.IsDir():
		return "", fmt.Errorf("%s is a folder", path)
	case err == nil && !force:
		return "", fmt.Errorf("%s exists already and is not a link to this hexarena; --force replaces it",
			path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	// Under another name first, so that path always exists.
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s cannot be made: %w", path, err)
	}
	what = "links to"
	if err := os.Symlink(target(self, path), fresh); err != nil {
		what = "is a copy of"
		program, err := os.ReadFile(self)
		if err == nil {
			err = writeNew(fresh, program, 0o777)
		}
		if err != nil {
			return "", err
		}
	}
	return what, os.Rename(fresh, path)
}

// target returns the target of a link at path. It is relative if both are in one folder, so
// that the folder can be moved.
func target(self, path string) string {
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		if folder, err = filepath.Abs(folder); err == nil && folder == filepath.Dir(self) {
			return filepath.Base(self)
		}
	}
	return self
}
