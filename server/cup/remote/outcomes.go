package remote

import (
	"fmt"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/wire"
)

// outcomes are results of a worker. They are the only messages of which there is one for a few matches. A worker is of the coordinator's
// version, so that their form may change with any version.
type outcomes struct {
	Worker  string
	Name    string
	Version string
	Plan    plan.Digest
	Matches []playedOutcome
}

// playedOutcome is the result of a match.
type playedOutcome struct {
	*cup.Outcome
	Recording string // the object that has it, unless Data has; empty: none
	Data      []byte // the recording
}

// Publisher returns the ID of the worker that a message with results names, "" if that cannot be read.
func Publisher(text []byte) (worker string) {
	wire.String(wire.Reader(text), &worker)
	return worker
}

// recordingName returns the name of the object with the recording of a worker's match.
func recordingName(worker string, k int) string { return fmt.Sprintf("%s.recording-%d", worker, k) }

// begin writes or reads what comes before the results.
func (o *outcomes) begin(w *wire.Wire) {
	digest := o.Plan[:]
	wire.String(w, &o.Worker)
	wire.String(w, &o.Name)
	wire.String(w, &o.Version)
	wire.Bytes(w, &digest)
	copy(o.Plan[:], digest)
}

// on writes or reads a result.
func (o *playedOutcome) on(w *wire.Wire) {
	if w.Reads() {
		o.Outcome = new(cup.Outcome)
	}
	o.Outcome.On(w)
	wire.String(w, &o.Recording)
	wire.Bytes(w, &o.Data)
}

// decodeOutcomes reads a message with results, which go on to its end.
func decodeOutcomes(text []byte) (message outcomes, err error) {
	w := wire.Reader(text)
	for message.begin(w); len(w.Text()) > 0; {
		var one playedOutcome
		one.on(w)
		message.Matches = append(message.Matches, one)
	}
	return message, w.Err()
}
