package remote

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
)

// ConflictsFile is the name of the file with results that differ from the first result of their
// match.
const ConflictsFile = "conflicts.ndjson"

// maxConflicts is the number of conflicts that are written in one run. Bots that draw random
// numbers may have one in each match that was played twice; the first thousand show which.
const maxConflicts = 1000

// conflicts writes results that differ from the first result of their match.
type conflicts struct {
	file  *os.File
	count int
}

// open opens the file below a folder.
func (c *conflicts) open(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	c.file, err = os.OpenFile(filepath.Join(dir, ConflictsFile),
		os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	return err
}

// add writes a second result. The file is for people, and nothing depends on it: an error of the
// disk is one of the log as well.
func (c *conflicts) add(o *cup.Outcome, first, second string) {
	if c.count++; c.count > maxConflicts {
		return
	}
	line, err := json.Marshal(struct {
		First  string       `json:"first"`  // the worker whose result counts
		Second string       `json:"second"` // the worker whose result this is
		Row    *results.Row `json:"row"`
	}{first, second, o.Row})
	if err != nil {
		panic(err) // no field can fail
	}
	_, _ = c.file.Write(append(line, '\n'))
}

func (c *conflicts) close() {
	if c.file != nil {
		_ = c.file.Close()
	}
}
