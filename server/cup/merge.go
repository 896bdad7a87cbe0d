package cup

import (
	"context"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// Merge makes one cup of those that were played as shards, as [archive.Merge] does, with a
// checkpoint, so that a large one is shown at once.
func Merge(
	ctx context.Context, dirs []string, out string, progress func(done, total int),
) (matches int, err error) {
	return archive.Merge(ctx, dirs, out,
		func(p *plan.Plan) archive.Ledger { return newLedger(p, plan.Whole) }, progress)
}
