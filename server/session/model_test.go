package session

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
	"github.com/hexarena/hexarena/server/machine/limits"
)

// The kick reasons and errors that are hexarena's own are the extensions of the model.
func TestModelOfKicks(t *testing.T) {
	m, err := model.Read(os.DirFS("../.."), model.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	given := []string{
		kickDenied + "any text", kickFailed, limits.TooMany, limits.TooManyFromAddress,
		kickEarlyTwice, kickNoDoTurnAck(time.Second),
		(&Session{
			allowance: Allowance{Rate: 1}, second: time.Now(), messages: 1,
		}).countMessage(time.Now()),
	}
	for _, reason := range reasons {
		given = append(given, reason)
	}
	used := map[string]bool{}
	for _, reason := range given {
		known := false
		for _, k := range m.Kicks {
			if reason == k.Text || k.Beginning != "" && strings.HasPrefix(reason, k.Beginning) {
				used[k.Text+k.Beginning], known = true, true
			}
		}
		if !known {
			t.Errorf("the model has no kick reason %q", reason)
		}
	}
	for _, k := range m.Kicks {
		if k.Extension && !used[k.Text+k.Beginning] {
			t.Errorf("no client is kicked for %q", k.Text+k.Beginning)
		}
	}
	faults := []error{errBinary, errControl, NewBudget(0, zerolog.Nop()).take(1)}
	for _, e := range m.Errors {
		if !e.Extension {
			continue
		}
		text, _, _ := strings.Cut(e.Text, "{")
		found := false
		for i, err := range faults {
			if err != nil && strings.HasPrefix(err.Error(), text) {
				faults[i], found = nil, true
			}
		}
		if !found {
			t.Errorf("no error has the text %q", e.Text)
		}
	}
	if err := errors.Join(faults...); err != nil {
		t.Errorf("the model does not have these errors: %v", err)
	}
}
