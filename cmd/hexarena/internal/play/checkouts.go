package play

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/filelock"
	"github.com/hexarena/hexarena/server/seat"
)

// checkouts are the bots as git has them, in a temporary folder that is made for the first one.
type checkouts struct {
	temp *filelock.Temp // nil: there are none
	n    int
}

// asOf returns a function that reads a seat such as my_bot.py@HEAD.
func (c *checkouts) asOf(known seat.Known) func(context.Context, string) (seat.Spec, bool, error) {
	return func(ctx context.Context, argument string) (seat.Spec, bool, error) {
		return cup.AsOf(ctx, argument, known, c.next)
	}
}

// next returns a folder for another bot.
func (c *checkouts) next() (dir string, err error) {
	if c.temp == nil {
		filelock.RemoveAbandoned()
		if c.temp, err = filelock.MkdirTemp(); err != nil {
			return "", err
		}
	}
	c.n++
	return filepath.Join(c.temp.Dir, strconv.Itoa(c.n)), nil
}

// has reports whether a file is one of a bot as git has it, which does not change.
func (c *checkouts) has(file string) bool {
	return c.temp != nil && strings.HasPrefix(file, c.temp.Dir+string(filepath.Separator))
}

// close removes the folder.
func (c *checkouts) close() {
	if c.temp != nil {
		c.temp.Close()
		c.temp = nil
	}
}
