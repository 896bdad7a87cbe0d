package botstest

import (
	"slices"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// slowCompilers are the folders of the kits whose bots take three to five seconds of a processor to
// compile; those of all others start at once, or take Go half a second.
var slowCompilers = []string{"cpp", "java", "rust"}

// Kits returns those of the kits that tests start bots of: at full size all, otherwise those
// without a slow compiler.
func Kits(all []*kits.Kit) []*kits.Kit {
	if thorough.Enabled {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all),
		func(k *kits.Kit) bool { return slices.Contains(slowCompilers, k.Folder) })
}
