package versions

import (
	"errors"
	"path/filepath"
	"strings"
)

// shown returns an error that says name in place of a path of this machine, which is not for those
// that send bots.
func shown(err error, path, name string) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if full, wrong := filepath.Abs(path); wrong == nil {
		text = strings.ReplaceAll(text, full, name)
	}
	return errors.New(strings.ReplaceAll(text, path, name))
}
