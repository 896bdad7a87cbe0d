package duel

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/botapi"
)

// Seat is who is to play: one of Mind, URL and Argv is set.
type Seat struct {
	Argument string // as the user gave it
	Label    string // short and unique
	Mind     botapi.Mind
	URL      string
	Argv     []string // a command, in which {host} and {port} are replaced
}

// address is what can only be meant as a bot's address: one with a scheme, or a
// host with a port.
var address = regexp.MustCompile(`^[a-z]+://|^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):[0-9]{1,5}$`)

// ParseSeats makes two seats of arguments. Each is the name of a mind, an address
// or, as [arena.ParseSeats] has them, a file or a command line. The error tells
// of all arguments that are none of these.
func ParseSeats(ctx context.Context, arguments []string, mind func(name string) (botapi.Mind, error)) (seats [2]Seat, err error) {
	if len(arguments) != len(seats) {
		return seats, fmt.Errorf("this game has 2 seats, and %d were given", len(arguments))
	}
	known := func(name string, _ uint64) (netorcai.Bot, error) {
		_, err := mind(name)
		return nil, err
	}
	var labels []arena.Seat
	var wrong []error
	for i, a := range arguments {
		s := &seats[i]
		s.Argument, s.Label = a, a
		if address.MatchString(a) {
			s.URL = a
			if _, err := htttx.CapabilitiesURL(a); err != nil {
				wrong = append(wrong, fmt.Errorf("seat %q: %w", a, err))
			}
			labels = append(labels, arena.Seat{Label: a})
			continue
		}
		parsed, err := arena.ParseSeats(ctx, []string{a}, known)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		s.Argv = parsed[0].Argv
		if s.Argv == nil {
			s.Mind, _ = mind(a)
		}
		labels = append(labels, parsed[0])
	}
	if len(wrong) > 0 {
		return seats, errors.Join(wrong...)
	}
	arena.SetLabels(labels)
	for i := range seats {
		seats[i].Label = labels[i].Label
	}
	return seats, nil
}
