package script

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/grafana/sobek"
)

// maxFrames bounds the calls of a script that are open at a time: as many as Node has by default.
const maxFrames = 10_000

// The types of messages that are not only handed to the script.
const (
	typeGameStarts = "GAME_STARTS"
	typeTurn       = "TURN"
	typeTurnOver   = "TURN_OVER"
	typeGameEnds   = "GAME_ENDS"
	typeKick       = "KICK"
)

// maxNickname is the number of characters that a name may have.
const maxNickname = 10

// noTurn stands for the number of a TURN where there is none.
const noTurn = -1

// bot is a script that plays. It belongs to the goroutine that runs the script, but for its activity.
type bot struct {
	vm       *sobek.Runtime
	modules  *modules
	printer  printer
	timers   timers
	activity activity
	settings settings
	digest   string // of the script's file

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
func load(file string, memory int, s settings) (*bot, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	files, main, err := readFolder(file)
	if err != nil {
		return nil, err
	}
	b := &bot{vm: sobek.New(), printer: printer{out: os.Stderr}, owed: noTurn, settings: s, lost: map[*sobek.Promise]bool{}}
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
		"answer": b.answer, "fail": b.fail,
		"encode": func(text string) sobek.ArrayBuffer { return b.vm.NewArrayBuffer([]byte(text)) },
		"decode": func(bytes sobek.ArrayBuffer) string { return strings.ToValidUTF8(string(bytes.Bytes()), "\uFFFD") },
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
	if err := errors.Join(object.Set("run", run), b.vm.Set("hexarena", object)); err != nil { // global as in a page
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
	for err == nil && promise != nil && promise.State() == sobek.PromiseStatePending && b.timers.any() {
		<-b.timers.next()
		err = b.run(ticking, b.timers.fire)
	}
	switch {
	case err != nil:
		return err
	case promise != nil && promise.State() == sobek.PromiseStatePending:
		return failf("%s waits for something that does not come", main)
	case b.class == nil:
		return failf("%s does not call run(Bot), as the starter does at its end", main)
	}
	return b.login()
}

// option returns what the script passed to run beside the bot's class, or what holds otherwise.
func (b *bot) option(name, otherwise string) string {
	if b.options != nil {
		if value := b.options.Get(name); value != nil && !sobek.IsUndefined(value) {
			return shown(value)
		}
	}
	return otherwise
}

// login logs the bot in.
func (b *bot) login() error {
	s := &b.settings
	if s.name == "" {
		s.name = b.option("name", strings.TrimSuffix(b.activity.file, filepath.Ext(b.activity.file)))
	}
	if s.role == "" {
		s.role = b.option("role", "player")
	}
	name := []rune(strings.Join(strings.Fields(s.name), "_"))
	login := struct {
		Type     string `json:"message_type"`
		Nickname string `json:"nickname"`
		Role     string `json:"role"`
		Protocol string `json:"metaprotocol_version"`
		Token    string `json:"token,omitempty"`
		Stay     bool   `json:"stay,omitempty"`
		Version  string `json:"version"`
		Language string `json:"language"`
		TurnOver bool   `json:"turn_over"`
	}{"LOGIN", string(name[:min(len(name), maxNickname)]), s.role, "2.0.0", s.token, s.stay, b.digest, "JavaScript", true}
	text, err := json.Marshal(login)
	if err != nil {
		return err
	}
	err = b.run(starting, func() error {
		_, err := b.begun(sobek.Undefined(), b.session, b.class, b.vm.ToValue(s.role), b.vm.ToValue(s.seed))
		return err
	})
	if err != nil {
		return err
	}
	return send(string(text))
}

// send writes a message to standard output.
func send(text string) error {
	_, err := os.Stdout.WriteString(text + "\n")
	return err
}

// play handles messages until the conversation is over.
func (b *bot) play() error {
	messages := make(chan message, mostMessages)
	go b.read(os.Stdin, messages)
	var waiting []message // for the end of the current one
	for over := false; !over; {
		var err error
		if b.current.Type == "" && len(waiting) > 0 {
			over, err = b.handle(waiting[0])
			waiting = waiting[1:]
		} else {
			select {
			case m := <-messages:
				b.activity.take(m)
				if b.current.Type == "" || b.supersedes(m) {
					over, err = b.handle(m)
				} else if m.Type == "" && !b.timers.any() {
					over, err = b.hungUp(m) // what the script waits for cannot come any more
				} else {
					waiting = append(waiting, m)
				}
			case <-b.timers.next():
				err = b.run(ticking, b.timers.fire)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// supersedes reports whether a message is handled although the script has not handled the current one.
func (b *bot) supersedes(m message) bool {
	switch m.Type {
	case typeTurnOver:
		return true
	case typeGameEnds:
		return b.current.Type == typeTurn || b.current.Type == typeGameStarts
	case typeGameStarts:
		return b.current.Type == typeGameEnds
	}
	return false
}

// parts says which part of a script handles a message; others do nothing.
var parts = map[string]part{typeGameStarts: starting, typeTurn: turning, typeGameEnds: ending}

// handle handles a message, and reports whether it was the last one.
func (b *bot) handle(m message) (over bool, err error) {
	part := parts[m.Type]
	switch {
	case m.Type == "":
		return b.hungUp(m)
	case m.Type == typeKick:
		return b.kicked(m)
	case m.Type == typeTurnOver:
		return false, b.lapse(m.Turn)
	case part == "":
		return false, nil
	}
	b.owed = noTurn
	if m.Type == typeTurn {
		b.owed = m.Turn
	}
	b.serial++
	b.current = m
	b.printer.begin()
	return false, b.runFor(m, part, func() error {
		_, err := b.deliver(sobek.Undefined(), b.vm.ToValue(b.serial), b.vm.ToValue(m.text))
		return err
	})
}

// lapse answers a turn whose time is over without actions, so that the script gets the next one.
func (b *bot) lapse(turn int) error {
	if b.owed != turn {
		return nil // the answer is on its way
	}
	b.owed, b.current = noTurn, message{}
	b.serial++ // an answer that comes later is none
	return send(fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`, turn))
}

// answer takes what the script made of a message: JSON, "" if there is nothing to send. serial is the
// message's number.
func (b *bot) answer(serial int, text string) {
	if serial != b.serial {
		return
	}
	b.current, b.owed = message{}, noTurn
	b.hangs = b.hangs && text == ""
	switch {
	case strings.ContainsAny(text, "\r\n"): // the script has replaced JSON.stringify
		b.failure = failf("an answer has several lines")
	case text != "":
		b.activity.answered()
		b.failure = send(text)
	}
}

// fail takes the error that the handling of a message ended with.
func (b *bot) fail(serial int, reason sobek.Value) {
	if serial == b.serial {
		b.failure = b.traceback(reason)
	}
}

// hungUp ends a conversation whose input is over.
func (b *bot) hungUp(m message) (over bool, err error) {
	if m.err == nil && !b.matchOver() {
		m.err = failf("the server closed the connection")
	}
	return true, m.err
}

// kicked ends a conversation as the kit does: after a match that is usual.
func (b *bot) kicked(m message) (over bool, err error) {
	reason := fmt.Sprint(m.Reason)
	switch {
	case b.matchOver() && reason != "Another connection took the seat":
		return true, nil
	case strings.Contains(reason, "token is needed"):
		reason += "\nAsk the server's operator for your token, and add --token TOKEN (or set BOT_TOKEN) when you start the bot."
	}
	return true, failf("kicked: %s", reason)
}

func (b *bot) matchOver() bool {
	value, err := b.finished(sobek.Undefined())
	return err == nil && value.ToBoolean()
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
