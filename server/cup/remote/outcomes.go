package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
)

// outcomes are results of a worker. The message has a line of JSON with the sender, which can be
// read alone, and a line for each match. A worker is of the coordinator's version, so that their
// form may change with any version.
type outcomes struct {
	sender
	Matches []playedOutcome
}

// sender is the worker that sends results of a plan.
type sender struct {
	Worker  string      `json:"worker"`
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Plan    plan.Digest `json:"plan"`
}

// playedOutcome is the result of a match.
type playedOutcome struct {
	*cup.Outcome
	// Recording names the object with the recording; empty if Data has it or it was not recorded.
	Recording string `json:"recording,omitempty"`
	Data      []byte `json:"data,omitempty"`
}

// Publisher returns the ID of the worker that a message with results names, "" if that cannot be
// read.
func Publisher(text []byte) string {
	from, _, _ := readSender(text) // the coordinator ignores a message that it cannot read
	return from.Worker
}

// readSender reads the sender of a message, and returns the lines that follow.
func readSender(text []byte) (from sender, rest []byte, err error) {
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	err = json.Unmarshal(first, &from)
	return from, rest, err
}

// recordingName returns the name of the object with the recording of a worker's match.
func recordingName(worker string, k int) string {
	return fmt.Sprintf("%s.recording-%d", worker, k)
}

var errNoRow = errors.New("a result has no row")

// decodeOutcomes reads a message with results.
func decodeOutcomes(text []byte) (message outcomes, err error) {
	from, rest, err := readSender(text)
	if err != nil {
		return message, err
	}
	message.sender = from
	for line := range bytes.Lines(rest) {
		var one playedOutcome
		if err := json.Unmarshal(line, &one); err != nil {
			return message, err
		}
		if one.Outcome == nil || one.Row == nil {
			return message, errNoRow
		}
		message.Matches = append(message.Matches, one)
	}
	return message, nil
}

// appendLine appends the JSON of a part of a message, and the end of its line.
func appendLine(dst []byte, part any) []byte { return append(append(dst, encode(part)...), '\n') }
