package script

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/grafana/sobek"

	"github.com/hexarena/hexarena/server/games"
)

// maxFrames bounds the calls of a script that are open at a time: as many as Node has by default.
const maxFrames = 10_000

// bot is a script that plays. It belongs to the goroutine that runs the script, but for its
// activity.
type bot struct {
	vm       *sobek.Runtime
	modules  *modules
	printer  printer
	timers   timers
	activity activity
	settings settings
	games    games.List // of its simulators
	digest   string     // of the script's file

	// What the script passed to the kit's function run.
	class   sobek.Value // of its bot; nil until then
	session sobek.Value // the kit's class
	options *sobek.Object

	begun, deliver, finished sobek.Callable // functions of the host's script

	current message                 // which the script handles; without a type: none
	serial  int                     // of the current message
	owed    int                     // number of the TURN that is not answered, or noTurn
	hangs   bool                    // it was interrupted, and has answered nothing since
	failure error                   // that the handling of a message ended with
	lost    map[*sobek.Promise]bool // promises that were rejected without a handler
}

//go:embed host.js
var hostSource string

// load reads a script, takes from this process what a script does not need, and runs the script
// until it waits for messages.
func load(file string, memory int, s settings, list games.List) (*bot, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	files, main, err := readFolder(file)
	if err != nil {
		return nil, err
	}
	b := &bot{
		vm: sobek.New(), printer: printer{out: os.Stderr}, owed: noTurn, settings: s, games: list,
		lost: map[*sobek.Promise]bool{},
	}
	b.vm.SetMaxCallStackSize(maxFrames)
	b.vm.SetPromiseRejectionTracker(b.track)
	b.activity.vm, b.activity.file = b.vm, main
	b.modules = newModules(b.vm, files)
	b.modules.exports = b.kit
	sum := sha256.Sum256(files.files[main])
	b.digest = hex.EncodeToString(sum[:8])
	if err := b.prepare(); err != nil {
		return nil, fmt.Errorf("prepare the engine: %w", err)
	}
	if err := confine(main, memory); err != nil {
		return nil, err
	}
	return b, b.begin(main)
}

// prepare gives the script the globals of the host.
func (b *bot) prepare() error {
	value, err := b.vm.RunScript(hostName, hostSource)
	if err != nil {
		return err
	}
	host, _ := sobek.AssertFunction(value)
	functions := b.vm.NewObject()
	for name, function := range map[string]any{
		"print": b.printer.print, "start": b.timers.start, "stop": b.timers.stop, "now": now,
		"answer": b.answer, "fail": b.fail, "simulate": b.simulate,
		"encode": func(text string) sobek.ArrayBuffer { return b.vm.NewArrayBuffer([]byte(text)) },
		"decode": func(bytes sobek.ArrayBuffer) string {
			return strings.ToValidUTF8(string(bytes.Bytes()), "\uFFFD")
		},
	} {
		if err := functions.Set(name, function); err != nil {
			return err
		}
	}
	value, err = host(sobek.Undefined(), functions)
	if err != nil {
		return err
	}
	object := value.ToObject(b.vm)
	b.begun, _ = sobek.AssertFunction(object.Get("begin"))
	b.deliver, _ = sobek.AssertFunction(object.Get("deliver"))
	b.finished, _ = sobek.AssertFunction(object.Get("finished"))
	return nil
}

// started is when the script began, for its clock.
var started = time.Now()

// now returns the whole milliseconds since the script began: no clock is finer than Date.
func now() float64 { return float64(time.Since(started).Milliseconds()) }

// kit returns the exports of the kit as scripts see them, with a function run that takes the bot's
// class; nil for other files.
func (b *bot) kit(file string, exports sobek.Value) sobek.Value {
	if filepath.Base(file) != kitName {
		return nil
	}
	object := exports.ToObject(b.vm)
	run := func(call sobek.FunctionCall) sobek.Value {
		b.class, b.session = call.Argument(0), object.Get("Session")
		b.options, _ = call.Argument(1).(*sobek.Object)
		return sobek.Undefined()
	}
	// Global as in a page.
	if err := errors.Join(object.Set("run", run), b.vm.Set("hexarena", object)); err != nil {
		panic(b.vm.NewGoError(err))
	}
	return object
}

// begin runs the script until it waits for messages, and logs in.
func (b *bot) begin(main string) error {
	var promise *sobek.Promise
	err := b.run(starting, func() (err error) {
		promise, err = b.modules.run(main)
		return err
	})
	waits := func() bool { return promise != nil && promise.State() == sobek.PromiseStatePending }
	for err == nil && waits() && b.timers.any() {
		<-b.timers.next()
		err = b.run(ticking, b.timers.fire)
	}
	switch {
	case err != nil:
		return err
	case waits():
		return failf("%s waits for something that does not come", main)
	case b.class == nil:
		return failf("%s does not call run(Bot), as the starter does at its end", main)
	}
	return b.login()
}

// run runs a part of the script, and what it leaves to be done at once.
func (b *bot) run(p part, f func() error) error { return b.runFor(message{Turn: noTurn}, p, f) }

// runFor runs the part that handles a message, unless it is not waited for any longer: the message
// that says so follows.
func (b *bot) runFor(m message, p part, f func() error) error {
	if !b.activity.enter(p, m.Turn, m.count) {
		return nil
	}
	err := f()
	b.activity.leave()
	var stop *sobek.InterruptedError
	switch {
	case errors.As(err, &stop) && p == starting:
		return failf("%s", overdue("the match", stop))
	case errors.As(err, &stop):
		unwind(b.vm)
		if !b.hangs {
			b.printer.print(overdue(named(p, m.Turn), stop))
		}
		b.hangs = true
		return nil
	case err != nil:
		return b.explain(err)
	case b.failure != nil:
		return b.failure
	}
	for promise := range b.lost {
		return b.traceback(promise.Result())
	}
	return nil
}

// track implements sobek.PromiseRejectionTracker.
func (b *bot) track(p *sobek.Promise, operation sobek.PromiseRejectionOperation) {
	if operation == sobek.PromiseRejectionHandle {
		delete(b.lost, p)
		return
	}
	b.lost[p] = true
}
