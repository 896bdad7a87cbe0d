package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"path/filepath"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// CheckpointFile is the name of the file of a checkpoint. The log is the truth: without the file,
// and with one that does not fit, all rows are read.
const CheckpointFile = "checkpoint.json"

// checkpointVersion is that of what is in a checkpoint. A program ignores those of another version,
// in which the same rows may have another state.
const checkpointVersion = 4

// Checkpoint is the state of a cup after some of its rows, so that those need not be read again.
type Checkpoint struct {
	Version   int             `json:"version"`
	Plan      plan.Digest     `json:"plan"`
	Shard     plan.Shard      `json:"shard"`
	Next      int             `json:"next"`      // the number of the match of the next row
	Log       int64           `json:"log"`       // its offset
	Times     int64           `json:"times"`     // that of its times
	Digest    plan.Digest     `json:"digest"`    // of the log's bytes before the offset
	Standings json.RawMessage `json:"standings"` // with the errors of bots
	Play      json.RawMessage `json:"play"`      // what else decides how the cup goes on
}

// Encode returns the content of the file, the sealed checkpoint.
func (p *Checkpoint) Encode() []byte {
	p.Version = checkpointVersion
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // its parts were made by encoding/json
	}
	return Seal(text)
}

// Seal returns text after a line with its digest, so that damage shows.
func Seal(text []byte) []byte {
	sum := sha256.Sum256(text)
	sealed := make([]byte, 0, 2*len(sum)+1+len(text))
	return append(append(hex.AppendEncode(sealed, sum[:]), '\n'), text...)
}

// Unseal returns the text that was given to Seal, and false if it is damaged.
func Unseal(content []byte) (text []byte, whole bool) {
	digest, text, _ := bytes.Cut(content, []byte("\n"))
	sum := sha256.Sum256(text)
	return text, string(digest) == hex.EncodeToString(sum[:])
}

// decodeCheckpoint returns nil if the content is damaged or of another version.
func decodeCheckpoint(content []byte) *Checkpoint {
	text, whole := Unseal(content)
	p := new(Checkpoint)
	if err := json.Unmarshal(text, p); !whole || err != nil || p.Version != checkpointVersion {
		return nil
	}
	return p
}

// Checkpoint returns the newest checkpoint, and the sum of the bytes of the log before its offset.
// It returns nil, and the sum of nothing, if there is no checkpoint, or if it does not fit: the log
// and the times do not begin with what they had when it was made.
func (c *Cup) Checkpoint() (*Checkpoint, hash.Hash) {
	content, err := disk.ReadLog(disk.Or(c.Disk), filepath.Join(c.Dir, CheckpointFile))
	if err != nil {
		return nil, sha256.New()
	}
	p, sum := decodeCheckpoint(content), sha256.New()
	if p == nil || p.Plan != c.Plan.Digest() || p.Shard != c.Shard || !c.timesEnd(p.Times) ||
		c.SumLog(sum, 0, p.Log) != nil || plan.Digest(sum.Sum(nil)) != p.Digest {
		return nil, sha256.New()
	}
	return p, sum
}

// SumLog adds the bytes of the log between two offsets to a sum. It returns an error if the log is
// shorter.
func (c *Cup) SumLog(sum hash.Hash, from, to int64) error {
	f, err := disk.Or(c.Disk).Open(filepath.Join(c.Dir, logFile))
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.CopyBuffer(sum, io.NewSectionReader(f, from, to-from), make([]byte, 1<<18))
	if err == nil && n < to-from {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// timesEnd reports whether a line of the times ends at an offset.
func (c *Cup) timesEnd(offset int64) bool {
	f, err := disk.Or(c.Disk).Open(filepath.Join(c.Dir, timesFile))
	if err != nil {
		return false
	}
	defer f.Close()
	var last [1]byte
	_, err = f.ReadAt(last[:], offset-1)
	return err == nil && last[0] == '\n'
}

// FollowFrom returns a follower that has read the rows before a checkpoint.
func (c *Cup) FollowFrom(p *Checkpoint) *Follower {
	return &Follower{cup: c, next: p.Next, log: p.Log, times: p.Times}
}

// Resume returns the standings at the newest checkpoint, with a follower for the rows after it.
// Without a checkpoint that fits they are those before the first row.
func (c *Cup) Resume() (*standings.Standings, *Follower) {
	if p, _ := c.Checkpoint(); p != nil {
		if s, err := standings.Restore(c.Plan, p.Standings); err == nil {
			return c.withOrigin(s), c.FollowFrom(p)
		}
	}
	return c.newStandings(), c.Follow()
}
