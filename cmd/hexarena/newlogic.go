package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hexarena/hexarena/bots/gamelogic"
)

// writeLogic writes a game logic to begin with.
func writeLogic(name string) error {
	source := gamelogic.Source(name)
	if source == nil {
		return usage(fmt.Errorf("%q: give it a name whose extension says its language: %s", name, strings.Join(gamelogic.Extensions, ", ")))
	}
	files := newFiles{}
	err := files.write(name, source)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s exists already and is left as it is; choose another name", name)
	}
	return err
}
