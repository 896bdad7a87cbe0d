package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// VerifyBy returns what verifies a recording by the rules of games: the recorded answers lead to
// the recorded states, and these to the digest of the row.
func VerifyBy(games recording.Games) func(context.Context, []byte, *cup.Outcome) error {
	return func(ctx context.Context, data []byte, o *cup.Outcome) error {
		r, err := recording.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		p, err := recording.NewReplay(r, games)
		if err != nil {
			return err
		}
		account := result.NewReplayed(r.Header(), true)
		for t, err := range p.Turns() {
			if err == nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				return err
			}
			account.Add(p, t)
		}
		if r.End() == nil || r.End().Cut || r.Step() < 0 {
			return errors.New("it is truncated")
		}
		if r.Header().Seed != o.Row.Seed {
			return fmt.Errorf("its seed is %d, want %d", r.Header().Seed, o.Row.Seed)
		}
		return o.SameStates(account.Report(r.End()).Digest)
	}
}
