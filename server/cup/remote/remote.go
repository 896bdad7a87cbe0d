// Package remote lets workers in other processes, on any number of machines, play the matches of a
// cup, or of plans that follow each other.
//
// A [Coordinator] plays the part of [cup.Workers] for the process that has the cup's folder. A
// worker ([Work]) asks it for leases, plays their matches, and sends the results. Between both is a
// queue ([Server] and [Client]), which may lose, double, reorder and delay messages, or be away: it
// is a cache. Matches and their results follow from the plan; the coordinator's table alone says
// which worker plays which match; and only the log that the cup writes counts.
package remote

import (
	"context"
	"encoding/json"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// Server is the coordinator's side of a queue.
type Server interface {
	// Serve has each request answered, and each result taken, by functions that may be called at
	// once. It returns when requests and results can arrive. After Close none of the functions is
	// called any more.
	Serve(answer func(request []byte) (reply []byte), take func(result []byte)) error
	// Put stores an object for workers, under a name that identifies its content. It replaces an
	// object of this name.
	Put(ctx context.Context, name string, data []byte) error
	// Remove removes an object that no worker needs any more. One that is not there is no error.
	Remove(ctx context.Context, name string) error
	// Clear removes all objects, results and recordings, so that nothing of them is left.
	Clear(ctx context.Context) error
	// Fetch returns an object that a worker has stored, and removes it from the queue.
	Fetch(ctx context.Context, name string) ([]byte, error)
	// Lost is sent to when objects may be gone, and have to be stored again.
	Lost() <-chan struct{}
	Close()
}

// Client is a worker's side of a queue.
type Client interface {
	// Request asks the coordinator.
	Request(ctx context.Context, request []byte) (reply []byte, err error)
	// Publish sends results. Without an error the queue has stored them, which is no promise that
	// they arrive.
	Publish(ctx context.Context, results []byte) error
	// Get returns an object that the coordinator has stored.
	Get(ctx context.Context, name string) ([]byte, error)
	// Send stores an object for the coordinator.
	Send(ctx context.Context, name string, data []byte) error
}

// request is a worker's request, by which the coordinator also knows that the worker runs.
type request struct {
	Worker   string   `json:"worker"` // differs with each process
	Name     string   `json:"name"`   // of the machine and the process, for people
	Version  string   `json:"version"`
	Number   int      `json:"number"`   // of the request, from 1
	Manifest string   `json:"manifest"` // the object that the worker plays; empty: none
	Jobs     int      `json:"jobs"`     // matches at once
	Wants    bool     `json:"wants"`    // a lease
	Held     []string `json:"held"`     // leases whose results are not all stored
	Leaves   bool     `json:"leaves"`   // and plays no more of them
	Missing  bool     `json:"missing"`  // objects that the worker needs are not there
}

// Requester returns the ID of the worker that a request names, "" if that cannot be read.
func Requester(text []byte) string {
	var r request
	_ = json.Unmarshal(text, &r) // the coordinator answers none that it cannot read
	return r.Worker
}

// reply is the coordinator's answer to a request.
type reply struct {
	Manifest string   `json:"manifest,omitempty"` // the object that says what is played
	Lease    *leased  `json:"lease,omitempty"`
	Dropped  []string `json:"dropped,omitempty"` // held leases that are others' by now
	Refused  string   `json:"refused,omitempty"` // why the worker gets no leases any more
	Over     bool     `json:"over,omitempty"`    // the cup is
	Forgets  int      `json:"forgets,omitempty"` // how often teams were forgotten
}

// leased is a lease as a worker gets it.
type leased struct {
	ID      string        `json:"id"`
	Matches []leasedMatch `json:"matches"`
}

// leasedMatch is one match of a lease.
type leasedMatch struct {
	K int `json:"k"`
	// the seats whose bots are not started any more; none: all are started
	Unstarted []bool `json:"unstarted,omitempty"`
	Record    bool   `json:"record,omitempty"`
	// of a format that pairs by results; else it follows from the plan and k
	Match *plan.Match `json:"match,omitempty"`
}

// encode returns the JSON of a message, no field of which can fail.
func encode(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return text
}
