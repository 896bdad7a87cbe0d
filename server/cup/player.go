package cup

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
)

// player plays single matches of a contest, several at once, and knows nothing of their order. It
// is open from [openPlayer] to close.
type player struct {
	contest  *Contest
	schedule *plan.Schedule
	host     *host.Host
	guard    *guard
	series   string // that matches belong to, by which bots that stay draw their seeds
	hashSeed uint32 // of all bots in all matches, since one that stays keeps it
	name     string // of this machine
	private  bool   // no bot logs in
	lag      lagMeter
	cores    *coreSlots

	mu       sync.Mutex // guards the fields below
	boards   map[string]games.Instance
	oneMatch map[int]bool // the bots that play one match in each process, although they ask to stay
}

// openPlayer returns a player of this many matches at once, which are recorded if recordings is not
// nil. Bots have cores as [Options.Cores] says.
func openPlayer(
	c *Contest, g *guard, recordings *host.Recordings, jobs int, cores []int,
) (*player, error) {
	h, err := c.openHost(recordings, jobs)
	if err != nil {
		return nil, fmt.Errorf("open a port for bots: %w", err)
	}
	digest := c.Plan.Digest()
	return &player{
		contest: c, schedule: plan.NewSchedule(c.Plan), host: h, guard: g,
		hashSeed: binary.BigEndian.Uint32(digest[:]),
		series:   digest.String()[:16], name: hostName(), private: !c.Starts(),
		lag:   lagMeter{worst: map[int]time.Duration{}},
		cores: newCoreSlots(cores, jobs, c.Plan.Seats), boards: map[string]games.Instance{},
		oneMatch: map[int]bool{},
	}, nil
}

// close ends bots that stay. No match may be played any more. A nil player has nothing to close.
func (l *player) close(ctx context.Context) {
	if l != nil {
		l.host.Shutdown(ctx)
	}
}

// hostName returns the name of this machine, "" if it has none.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
