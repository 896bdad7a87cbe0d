package cupcli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/seat"
)

// Examiner runs one exam of bots, one after another, for a program that prints no results.
type Examiner struct {
	exam    *examination
	scratch *filelock.Temp
	taken   int
}

// NewExaminer reads the exam of a sheet. The caller must close the examiner. Mistakes are a
// games.UsageError that holds all.
func NewExaminer(ctx context.Context, o Options) (*Examiner, error) {
	scratch, err := filelock.MkdirTemp()
	if err != nil {
		return nil, err
	}
	x := &Examiner{
		exam: &examination{prepared: &prepared{Options: o, scratch: scratch.Dir}}, scratch: scratch,
	}
	if err := x.exam.read(ctx); err != nil {
		x.Close()
		return nil, games.UsageError{Err: err}
	}
	return x, nil
}

// Close removes the temporary files of the examiner.
func (x *Examiner) Close() { x.scratch.Close() }

// Marks returns the pass marks.
func (x *Examiner) Marks() []exam.Mark { return x.exam.marks }

// Digest returns 16 hexadecimal digits that differ for exams which differ in anything that decides
// a result.
func (x *Examiner) Digest() string {
	q := *x.exam.contest.Plan
	q.Bots = nil
	for _, one := range x.exam.opponents {
		q.Bots = append(q.Bots, one.Bot)
	}
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(struct {
		Plan  plan.Digest
		Marks []exam.Mark
	}{q.Digest(), x.exam.marks}) // writing to a sum never fails
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Take runs a bot, a file in a folder of its own, in the matches of the exam that it has not
// played yet, and returns its result under a name. The bot speaks on its standard input and output
// if stdio is set. Matches that were interrupted by the end of ctx are played by the next call.
func (x *Examiner) Take(ctx context.Context, path, name string, stdio bool) (exam.Result, error) {
	if dir := filepath.Dir(path); source.IsBot(ctx, dir, x.exam.known()) {
		path = dir
	}
	if stdio {
		path = seat.StdioPrefix + path
	}
	x.taken++
	r, err := x.exam.take(ctx, x.taken, source.Submission{Path: path, Name: name}, name)
	r.Problem = strings.ReplaceAll(r.Problem, path, name)
	return r, err
}
