package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var directions = [...]string{"x+", "y+", "z+", "x-", "y-", "z-"}

// moves returns actions for a few characters, which may exist or not.
func moves(rng *rand.Rand) string {
	var list []string
	for id := range 1 + rng.IntN(2) {
		switch rng.IntN(6) {
		case 0:
			list = append(
				list,
				fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, id, 2+rng.IntN(3),
					2+rng.IntN(3)),
			)
		case 1:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, id))
		default:
			list = append(
				list,
				fmt.Sprintf(`{"id":%d,"movement":"move","direction":%q}`, id,
					directions[rng.IntN(len(directions))]),
			)
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}
