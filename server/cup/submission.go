package cup

import (
	"cmp"
	"context"
	"slices"

	"github.com/hexarena/hexarena/server/seat"
)

// EnterSubmission reads a bot that was handed in. The plan says shown in place of the argument, which may
// be the name of a folder that is gone tomorrow; name is what the bot is called, unless it is empty.
func EnterSubmission(ctx context.Context, argument, shown, name string, known seat.Known, scratch string) (Entrant, error) {
	known.Page, known.Refuse = true, refuse
	e := Entrant{}
	e.Seat = argument
	if err := e.read(ctx, known, scratch); err != nil {
		return e, err
	}
	e.Seat = cmp.Or(shown, argument)
	e.spec.Label = cmp.Or(name, e.spec.Label)
	return e, nil
}

// IsBot reports whether a folder is one bot, by a file main.* or bot.* that can be started.
func IsBot(ctx context.Context, dir string, known seat.Known) bool {
	path, err := program(ctx, dir, known)
	return err == nil && isMain(path)
}

// Field returns entrants that play together: copies of the first one and the others, under names that
// differ.
func Field(first Entrant, others []Entrant) []Entrant {
	list := append([]Entrant{first}, slices.Clone(others)...)
	setNames(list)
	return list
}
