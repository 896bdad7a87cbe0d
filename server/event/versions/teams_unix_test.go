//go:build unix

package versions

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/event/state"
)

// Files of a version stay if one team has it, also if another team sends the same bot meanwhile and
// may not have it.
func TestTeamsSendTheSameBot(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "versions"), Options{Game: "hexabomb"})
	add := func(adopt func(state.Upload) error) (state.Upload, error) {
		return s.Add(t.Context(), "bot.sh", strings.NewReader("#!/bin/sh\n"), false, adopt)
	}
	refused := errors.New("refused")
	refuse := func(state.Upload) error { return refused }
	v, err := add(refuse)
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if _, err := s.Seat(t.Context(), v); err == nil {
		t.Error("the store keeps a version that no team has")
	}
	other := make(chan error, 1)
	if _, err = add(func(state.Upload) error {
		go func() {
			_, err := add(refuse)
			other <- err
		}()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := <-other; !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if _, err := s.Seat(t.Context(), v); err != nil {
		t.Errorf("the version of a team is gone: %v", err)
	}
}
