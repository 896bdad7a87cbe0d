// Package natsqueue carries what a coordinator and its workers exchange over NATS: requests as core
// messages, results and objects in JetStream. docs/scale.md has the subjects, streams and limits.
package natsqueue

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Limits of what the queue keeps.
const (
	// MaxPayload is the largest message, which is NATS' usual limit: results are sent in messages
	// of half of it.
	MaxPayload = 1 << 20
	// maxResults is the number of bytes of results that are kept: those of half a million matches, of
	// which a coordinator that was restarted needs the last 16 384. Older ones are in the log.
	maxResults = 256 << 20
	// resultsAge is the time that results are kept: as long as it may take until a coordinator that
	// was killed goes on.
	resultsAge = 24 * time.Hour
	// maxObjects is the number of bytes the bots of a cup may have together, compressed.
	maxObjects = 512 << 20
	// maxRecordings is the number of bytes of recordings that may wait to be verified: hundreds.
	maxRecordings = 256 << 20
	// recordingsAge is the time that a recording waits, if its coordinator is gone.
	recordingsAge = time.Hour
	// MaxStored is the sum of the streams' limits.
	MaxStored = maxResults + maxObjects + maxRecordings
)

// Names are the names of a coordinator's subjects, streams and buckets. They follow from its key,
// so that any number of coordinators can share a cluster.
type Names struct{ id string }

// NamesOf returns the names of the coordinator with a key.
func NamesOf(key ed25519.PublicKey) Names {
	sum := sha256.Sum256(key)
	return Names{hex.EncodeToString(sum[:6])}
}

func (n Names) requests() string   { return "hexarena." + n.id + ".requests" }
func (n Names) results() string    { return "hexarena." + n.id + ".results" }
func (n Names) stream() string     { return "HEXARENA_" + n.id }
func (n Names) objects() string    { return "hexarena-" + n.id + "-objects" }
func (n Names) recordings() string { return "hexarena." + n.id + ".recordings" }

// the stream of them
func (n Names) recorded() string { return "HEXARENA_" + n.id + "_recordings" }

// User returns the name with which workers log in at an embedded server.
func (n Names) User() string { return "worker" }

// ValidID reports whether a worker may have an ID, which is a part of subjects.
func ValidID(id string) bool {
	const longest = 64
	return id != "" && len(id) <= longest && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-'
	})
}

// Inbox returns the prefix of the subjects at which a worker gets answers.
func Inbox(id string) string { return "_INBOX." + id }

// WorkerSubjects returns the subjects on which the worker with an ID publishes: its own requests,
// results and recordings, and questions for objects. It makes no consumers, and cannot remove
// anything.
func (n Names) WorkerSubjects(id string) []string {
	objects := "OBJ_" + n.objects()
	return []string{
		n.requests() + "." + id, n.results() + "." + id, n.recordings() + "." + id + ".>",
		"$JS.API.STREAM.INFO." + objects, "$JS.API.DIRECT.GET." + objects,
		"$JS.API.DIRECT.GET." + objects + ".>",
	}
}
