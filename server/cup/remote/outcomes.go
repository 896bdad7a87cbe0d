package remote

import (
	"github.com/fxamacker/cbor/v2"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
)

// outcomes are results of a worker: as they are sent, each a cbor.RawMessage, so that their size is known; as they are received,
// each a playedOutcome.
//
// They are the only messages of which there is one for a few matches, and are CBOR (RFC 8949), since reading them as JSON took the coordinator a
// third of its time. A result, its row and its times are arrays, whose elements have no names to look up. A worker is of the coordinator's version, so that their form may change with any version.
type outcomes[T cbor.RawMessage | playedOutcome] struct {
	Worker  string      `json:"worker"`
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Plan    plan.Digest `json:"plan"`
	Matches []T         `json:"matches"`
}

// playedOutcome is the result of a match.
type playedOutcome struct {
	_ struct{} `cbor:",toarray"`
	*cup.Outcome
	Recording string `json:"recording,omitempty"` // the object that has it, unless Data has
	Data      []byte `json:"data,omitempty"`      // the recording
}

// outcomeWriter writes times with all their digits, and outcomeReader reads texts that are not UTF-8, which bots may print.
var outcomeWriter, outcomeReader = func() (cbor.EncMode, cbor.DecMode) {
	w, err := cbor.EncOptions{Time: cbor.TimeRFC3339Nano}.EncMode()
	if err != nil {
		panic(err) // the options are valid
	}
	r, err := cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		panic(err)
	}
	return w, r
}()

// encodeOutcomes returns the CBOR of results, no field of which can fail.
func encodeOutcomes(message any) []byte {
	text, err := outcomeWriter.Marshal(message)
	if err != nil {
		panic(err)
	}
	return text
}

// decodeOutcomes reads a message with results. The library bounds its depth and its lists.
func decodeOutcomes(text []byte) (message outcomes[playedOutcome], err error) {
	err = outcomeReader.Unmarshal(text, &message)
	return message, err
}
