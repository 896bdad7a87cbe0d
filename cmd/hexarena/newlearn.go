package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/hexarena/hexarena/bots/learn"
	"github.com/hexarena/hexarena/server/launch"
)

// newLearning writes a program for learning and prints how it is run.
func newLearning(out io.Writer, name string) error {
	written, err := writeLearning(name)
	if err == nil {
		_, err = fmt.Fprintf(out, "Wrote %s. It needs numpy:\n\n    %s\n", enumeration(written),
			launch.Quote([]string{"python3", name}))
	}
	return err
}

// writeLearning writes the example of package learn, and its module beside it. It returns the names
// of the files that it has written.
func writeLearning(name string) ([]string, error) {
	if filepath.Ext(name) != ".py" || filepath.Base(name) == learn.ModuleName {
		return nil, usageErrorf("%q: give the program a name that ends in .py, other than %s", name,
			learn.ModuleName)
	}
	module := filepath.Join(filepath.Dir(name), learn.ModuleName)
	files := newFiles{}
	err := files.writeKit(module, learn.Module)
	if err == nil {
		err = files.write(name, bytes.ReplaceAll(learn.Example, []byte(learn.ExampleName),
			[]byte(filepath.Base(name))))
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s exists already and is left as it is; choose another name or folder", name)
	}
	if err != nil {
		return nil, errors.Join(err, files.remove())
	}
	return files, nil
}
