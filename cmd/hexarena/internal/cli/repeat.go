package cli

import (
	"slices"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// Repeating returns games of which the one that was recorded in a file has built-in bots that
// repeat the answers in it that depended on time.
func Repeating(list games.List, path string) (games.List, error) {
	file, err := recording.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	g := list.OfRules(file.Header().Rules)
	if g == nil || g.Repeat == nil {
		return list, nil
	}
	again, err := g.Repeat(path)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	list[slices.Index(list, g)] = again
	return list, nil
}
