package arena

import (
	"sync"
	"sync/atomic"

	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/process"
)

// Kept holds started bots that listen, and go on to listen between the matches of a
// series: those that log in end with their match, and are started for each.
type Kept struct {
	bots    map[string]*keptBot                      // by the label of their seat
	printed atomic.Pointer[func(*seat.Spec, string)] // is told what they print, of the match that is played
}

// keptBot is a bot that is running.
type keptBot struct {
	started *process.Bot
	proc    *process.Process
}

// Close stops all bots that are running. More may be kept after it.
func (k *Kept) Close() {
	if k == nil {
		return
	}
	var all sync.WaitGroup
	for _, b := range k.bots {
		all.Go(b.proc.Stop)
	}
	all.Wait()
	k.bots = nil
}

// put keeps the bot of a seat.
func (k *Kept) put(label string, b *keptBot) {
	if k.bots == nil {
		k.bots = map[string]*keptBot{}
	}
	k.bots[label] = b
}

// has reports whether the bot of a seat is running.
func (k *Kept) has(label string) bool {
	return k != nil && k.bots[label] != nil && !k.bots[label].proc.Ended()
}

// take returns the bot of a seat that is still running; nil if there is none.
func (k *Kept) take(label string) *keptBot {
	if !k.has(label) {
		return nil
	}
	b := k.bots[label]
	delete(k.bots, label)
	return b
}
