package join

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// A bot that fails is started again after a while, which doubles until it has played a match to its
// end: a bot that always fails costs its machine and the server little.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// unstartable handles that the bot cannot be built or started.
func (r *relay) unstartable(b *bot, err error) error {
	if r.ctx.Err() != nil || r.bot != b {
		return nil
	}
	r.bot = nil
	if !r.known {
		return err
	}
	r.say("%v", err)
	r.say("The bot is started again when its file changes.")
	r.output.report(r.token())
	return nil
}

// ended handles that the bot's process has ended by itself.
func (r *relay) ended(b *bot) error {
	if r.bot != b {
		return nil // it was dismissed
	}
	r.bot = nil
	b.hangUp()
	defer r.output.report(r.token())
	if !r.known {
		return fmt.Errorf("the bot has ended (%v) and never logged in: it has to connect to %s, which "+
			"BOT_HOST and BOT_PORT also say; if it stopped because of an error, its output is "+
			"above", b.proc.Exit(), r.listener.Addr())
	}
	r.say("The bot has ended: %v. It is started again in %v, or when its file changes.", b.proc.Exit(),
		r.pause)
	r.restartLater()
	return nil
}

// restartLater starts the bot after a pause.
func (r *relay) restartLater() {
	r.retry = panics.AfterFunc(r.pause, func() {
		r.post(func() error { r.restart(); return nil })
	}, func(p *panics.Error) { r.stop(p) })
	r.pause = min(2*r.pause, maxPause)
}

// restart starts the bot, unless it runs or is about to.
func (r *relay) restart() {
	if r.retry != nil {
		r.retry.Stop()
		r.retry = nil
	}
	if r.bot == nil && !r.dismissing {
		r.startBot()
	}
}

// watch notices when the bot's files change.
func (r *relay) watch() {
	w := launch.NewWatch(r.opts.Seat.Sources())
	for {
		name, err := w.Next(r.ctx)
		if err != nil || !r.post(func() error { r.changed(filepath.Base(name)); return nil }) {
			return
		}
	}
}

// changed handles that the bot's file has changed: between two matches it is started again at once,
// and in a match when that is over.
func (r *relay) changed(name string) {
	switch b := r.bot; {
	case b == nil:
		r.say("%s has changed.", name)
		r.pause = firstPause
		r.restart()
	case r.match != nil && b.playing:
		r.say("%s has changed: it plays from the next match on.", name)
		b.stale = true
	default:
		r.say("%s has changed.", name)
		r.dismiss("Another version of the bot is started")
	}
}
