package rounds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
)

// A version that a team sends while another one with equal files is forgotten keeps its files.
func TestForgetWhileEqualFilesAreSent(t *testing.T) {
	inBubble(t, Start{}, 2, func(d *day) {
		// which Run does not see, so that nothing is tried
		d.opts.Store = versions.Open(d.event.VersionsDir(), versions.Options{Game: "toy", Memory: 64})
		send := func(team int, before func()) state.Upload {
			t.Helper()
			v, err := d.opts.Store.Add(d.t.Context(), "bot.js", strings.NewReader("let a = 1;\n"), true,
				func(v state.Upload) error {
					before()
					return d.event.Do(func(s *state.State) (state.Act, error) {
						return s.Versions.Send(team, v, 1)
					})
				})
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		send(0, func() {})
		forgotten := make(chan error, 1)
		v := send(1, func() {
			go func() {
				_, err := d.ForgetTeam(0)
				forgotten <- err
			}()
			synctest.Wait() // it waits for the store
		})
		if err := <-forgotten; err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(d.event.VersionsDir(), v.Digest, v.File)); err != nil {
			t.Errorf("the version of the other team is gone: %v", err)
		}
	})
}
