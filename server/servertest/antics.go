package servertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Antics returns random actions for the given number of characters, many of them
// invalid.
func Antics(rng *rand.Rand, characters int) string {
	odd := []string{
		`17`, `null`, `{}`, `[]`, `"move"`, `{"id":0}`, `{"id":"0","movement":"move","direction":"x+"}`,
		`{"id":1e99,"movement":"revive"}`, `{"id":0,"movement":"move","direction":"up"}`,
		`{"id":-1,"movement":"bomb","bomb_range":2,"bomb_delay":2}`,
		`{"id":0,"movement":"bomb","bomb_range":9,"bomb_delay":0}`,
		`{"movement":"move","\u0069d":1,"direction":"\u0078+"}`,
	}
	var list []string
	for id := range characters {
		switch rng.IntN(8) {
		case 0:
			list = append(
				list,
				fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d.0}`, id, 2+rng.IntN(4),
					2+rng.IntN(4)),
			)
		case 1:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, id))
		case 2:
			list = append(list, odd[rng.IntN(len(odd))])
		default:
			list = append(
				list,
				fmt.Sprintf(`{"direction":%q,"id":%d,"movement":"move"}`,
					[]string{"x+", "y+", "z+", "x-", "y-", "z-"}[rng.IntN(6)], id),
			)
		}
	}
	return "[" + strings.Join(list, ",\n ") + "]"
}
