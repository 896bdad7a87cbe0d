package host

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/rs/zerolog"
)

// labelOrder is the order of the usual labels in the log, from the widest to the
// narrowest; others come after them by name.
var labelOrder = []string{"series", "round", "table", "match"}

// labelled returns a log whose lines have the labels. Numbers are logged as such.
func labelled(log zerolog.Logger, labels map[string]string) zerolog.Logger {
	if len(labels) == 0 {
		return log
	}
	// -1 becomes the largest
	place := func(name string) uint { return uint(slices.Index(labelOrder, name)) }
	names := slices.SortedFunc(maps.Keys(labels), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	with := log.With()
	for _, name := range names {
		if n, err := strconv.Atoi(labels[name]); err == nil {
			with = with.Int(name, n)
			continue
		}
		with = with.Str(name, labels[name])
	}
	return with.Logger()
}
