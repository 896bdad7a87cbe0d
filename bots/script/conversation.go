package script

import (
	"fmt"
	"os"
	"strings"

	"github.com/grafana/sobek"
)

// The types of messages that are not only handed to the script.
const (
	typeGameStarts = "GAME_STARTS"
	typeTurn       = "TURN"
	typeTurnOver   = "TURN_OVER"
	typeGameEnds   = "GAME_ENDS"
	typeKick       = "KICK"
)

// noTurn stands for the number of a TURN where there is none.
const noTurn = -1

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

// supersedes reports whether a message is handled although the script has not handled the
// current one.
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

// answer takes what the script made of a message: JSON, "" if there is nothing to send. serial
// is the message's number.
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
		reason += "\nAsk the server's operator for your token, and add --token TOKEN (or set " +
			"BOT_TOKEN) when you start the bot."
	}
	return true, failf("kicked: %s", reason)
}

func (b *bot) matchOver() bool {
	value, err := b.finished(sobek.Undefined())
	return err == nil && value.ToBoolean()
}
