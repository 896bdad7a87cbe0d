package cup

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/score"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/recording"
)

// Keep says of which matches recordings are kept.
type Keep string

// What is kept.
const (
	KeepNone   Keep = "none"
	KeepErrors Keep = "errors" // matches with a forfeit
	// those, and the ones that the bot which is compared lost to most of its opponents
	KeepLosses Keep = "losses"
	KeepAll    Keep = "all"
)

// maxKept is the number of bytes of recordings a cup keeps: some ten thousand matches. Later ones
// are not kept.
const maxKept = 1 << 30

// playing is the folder of recordings of matches that are being played.
const playing = "playing"

// Hero returns the number of the bot whose losses can be kept, or -1 if the format compares all
// bots.
func Hero(p *plan.Plan) int {
	switch p.Format {
	case plan.Gauntlet:
		return 0
	case plan.Comparison:
		return 1
	}
	return -1
}

// keeper keeps the recordings of some matches.
type keeper struct {
	keep Keep
	hero string // the bot whose losses are kept
	dir  string // of what is kept
	tmp  string // of what is played
	left int64  // bytes
}

// newKeeper makes room in a folder for the recordings to keep. Those of matches that were not
// finished when a cup was killed are removed.
func newKeeper(keep Keep, p *plan.Plan, dir string) (*keeper, error) {
	k := &keeper{
		keep: keep, dir: filepath.Join(dir, matchesDir), tmp: filepath.Join(dir, playing), left: maxKept,
	}
	if hero := Hero(p); hero >= 0 {
		k.hero = p.Bots[hero].Name
	}
	if err := os.RemoveAll(k.tmp); err != nil || !k.records() {
		return k, err
	}
	err := filepath.WalkDir(k.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			k.left -= info.Size()
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return k, os.MkdirAll(k.dir, 0o755)
}

// records reports whether matches are recorded at all.
func (k *keeper) records() bool { return k.keep != KeepNone && k.keep != "" }

// recordings returns where matches are recorded while they are played; nil: they are not.
func (k *keeper) recordings() *host.Recordings {
	if !k.records() {
		return nil
	}
	return &host.Recordings{Dir: k.tmp, Durable: recording.AtEnd}
}

// settle keeps the recording of a match, or removes it.
func (k *keeper) settle(p *played) error {
	if p.recording == "" {
		return nil
	}
	info, err := os.Stat(p.recording)
	if err != nil {
		return fmt.Errorf("the recording of match %d: %w", p.K, err)
	}
	if !k.wants(p.entry.row) || info.Size() > k.left {
		return removeRecording(p.recording)
	}
	k.left -= info.Size()
	return os.Rename(p.recording, filepath.Join(k.dir, strconv.Itoa(p.K)+recording.Extension))
}

// removeRecording removes a recording; "" stands for no recording.
func removeRecording(path string) error {
	if path == "" {
		return nil
	}
	return os.Remove(path)
}

// wants reports whether the recording of a match is to be kept.
func (k *keeper) wants(row *results.Row) bool {
	failed := slices.ContainsFunc(row.Forfeits, results.Failed)
	switch k.keep {
	case KeepAll:
		return true
	case KeepErrors:
		return failed
	case KeepLosses:
		i := slices.Index(row.Bots, k.hero)
		return failed || i >= 0 && 2*score.Halves(row.Ranks, i) < score.Most(len(row.Bots), 1)
	}
	return false
}

// close removes the recordings of matches that do not count.
func (k *keeper) close() error { return os.RemoveAll(k.tmp) }
