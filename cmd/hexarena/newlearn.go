package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/bots/learn"
)

// newLearning writes a program for learning and prints how it is run.
func newLearning(out *output, name string) error {
	written, err := writeLearning(name)
	if err != nil {
		return err
	}
	return tellWritten(out, written, "They need numpy. Train, and let what has learned play",
		[]string{"python3", name},
		[]string{"hexarena", "play", beside(name, learn.PolicyName), "random"})
}

// beside returns the path of another file in the folder of a file.
func beside(name, other string) string { return filepath.Join(filepath.Dir(name), other) }

// writeLearning writes the program of package learn that trains, and what it uses beside it. It
// returns the names of the files that it has written.
func writeLearning(name string) ([]string, error) {
	base := filepath.Base(name)
	if k := kits.Of(name); k == nil || k.Folder != "python" || kits.IsLibrary(name) ||
		base == learn.ModuleName || base == learn.PolicyName {
		return nil, usageErrorf("%q: give the program a name that ends in .py, other than %s and %s, "+
			"which are written beside it", name, learn.ModuleName, learn.PolicyName)
	}
	k := kits.Of(name)
	own := func(source []byte) []byte {
		return bytes.ReplaceAll(source, []byte(learn.TrainName), []byte(base))
	}
	files := newFiles{}
	err := files.writeKit(beside(name, learn.ModuleName), learn.Module)
	for _, library := range k.LibraryOf(gameList[0].Name) {
		if err == nil {
			err = files.writeKit(beside(name, library), k.File(library))
		}
	}
	for _, f := range []newFile{
		{beside(name, learn.PolicyName), own(learn.Policy)}, {name, own(learn.Train)},
	} {
		if err == nil {
			if err = files.write(f.name, f.content); errors.Is(err, fs.ErrExist) {
				err = fmt.Errorf("%s exists already and is left as it is; choose another folder", f.name)
			}
		}
	}
	if err != nil {
		return nil, errors.Join(err, files.remove())
	}
	return files, nil
}
