package archive

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// Ledger is what a cup knows after some of its rows.
type Ledger interface {
	// Add adds the next row.
	Add(row *results.Row, times []Times) error
	// Checkpoint returns the state after the rows so far, without their offsets and their digest.
	Checkpoint() *Checkpoint
}

// Merge writes the folder of a whole cup from those of all its shards. The plan and the log have
// the bytes that one run would have written, and the checkpoint is that of a ledger, which begin
// returns for the plan, after the last row. Out must not exist; it appears when it is complete.
// Merge returns the number of matches, or the cause of ctx if that ends. It calls progress, which
// may be nil, with the number of matches that are written, and of all.
func Merge(
	ctx context.Context, dirs []string, out string, begin func(*plan.Plan) Ledger,
	progress func(done, total int),
) (matches int, err error) {
	if _, err := os.Lstat(out); err == nil {
		return 0, fmt.Errorf("%s exists: name a folder that does not", out)
	}
	shards, err := openShards(dirs)
	if err != nil {
		return 0, err
	}
	part := out + ".part"
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return 0, err
	}
	if err := os.Mkdir(part, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return 0, fmt.Errorf(
				"%s is left from a merge that was interrupted, or another one is going on: remove it", part)
		}
		return 0, err
	}
	if matches, err = mergeInto(ctx, part, shards, begin(shards[0].Plan), progress); err == nil {
		err = os.Rename(part, out)
	}
	if err != nil {
		return 0, errors.Join(err, os.RemoveAll(part))
	}
	return matches, nil
}

// openShards returns the cups of the folders in the order of their shards, each of which must be
// there once.
func openShards(dirs []string) ([]*Cup, error) {
	var shards []*Cup
	for _, dir := range dirs {
		c, err := Open(dir)
		if err != nil {
			return nil, err
		}
		shards = append(shards, c)
		first := shards[0]
		if first.Plan.Digest() != c.Plan.Digest() {
			return nil, fmt.Errorf("%s and %s have different plans:\n  %s", first.Dir, dir,
				strings.Join(plan.Difference(first.Plan, c.Plan), "\n  "))
		}
		if first.Shard.Of != c.Shard.Of {
			return nil, fmt.Errorf("%s is shard %s, and %s is shard %s: merge shards of one division",
				first.Dir, first.Shard, dir, c.Shard)
		}
	}
	slices.SortFunc(shards, func(a, b *Cup) int { return cmp.Compare(a.Shard.Number, b.Shard.Number) })
	for number := 1; number <= shards[0].Shard.Of; number++ {
		want := plan.Shard{Number: number, Of: shards[0].Shard.Of}
		switch i := number - 1; {
		case i >= len(shards) || shards[i].Shard.Number > number:
			return nil, fmt.Errorf("shard %s is missing: name its folder as well", want)
		case i+1 < len(shards) && shards[i+1].Shard.Number == number:
			return nil, fmt.Errorf("%s and %s are both shard %s: name one of them", shards[i].Dir,
				shards[i+1].Dir, want)
		}
	}
	return shards, nil
}

// mergeInto writes the files of the cup into an empty folder.
func mergeInto(
	ctx context.Context, dir string, shards []*Cup, l Ledger, progress func(done, total int),
) (matches int, err error) {
	for _, c := range shards {
		for _, name := range []string{botsDir, mapsDir, matchesDir} {
			if err := copyTree(filepath.Join(dir, name), filepath.Join(c.Dir, name)); err != nil {
				return 0, err
			}
		}
	}
	from := filepath.Join(shards[0].Dir, planFile)
	if err := copyFile(filepath.Join(dir, planFile), from); err != nil {
		return 0, err
	}
	if o := shards[0].Origin().Whole(); len(o.Command) > 0 {
		text, err := json.MarshalIndent(o, "", "  ")
		if err == nil {
			err = disk.WriteFile(disk.Or(nil), filepath.Join(dir, OriginFile), append(text, '\n'))
		}
		if err != nil {
			return 0, err
		}
	}
	var ends [2]counter // of the log and of the times
	sum := sha256.New()
	err = writeFile(filepath.Join(dir, logFile), func(log io.Writer) error {
		return writeFile(filepath.Join(dir, timesFile), func(times io.Writer) error {
			matches, err = mergeRows(ctx, io.MultiWriter(log, sum, &ends[0]),
				io.MultiWriter(times, &ends[1]), shards, l, progress)
			return err
		})
	})
	if err != nil {
		return 0, err
	}
	p := l.Checkpoint()
	p.Log, p.Times, p.Digest = int64(ends[0]), int64(ends[1]), plan.Digest(sum.Sum(nil))
	return matches, disk.WriteFile(disk.Or(nil), filepath.Join(dir, CheckpointFile), p.Encode())
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}

// mergeRows writes the rows and times of all shards in the order of the matches' numbers, and adds
// them to the ledger.
func mergeRows(
	ctx context.Context, log, times io.Writer, shards []*Cup, l Ledger,
	progress func(done, total int),
) (matches int, err error) {
	stretch, sources := shards[0].Plan.Stretch(), make([]*source, len(shards))
	for i, c := range shards {
		if sources[i], err = c.open(); err != nil {
			return 0, err
		}
		defer sources[i].close()
	}
	if header := sources[0].times.header; header != "" {
		if _, err := io.WriteString(times, header+"\n"); err != nil {
			return 0, err
		}
	}
	total := shards[0].Plan.Matches()
	var line []byte
	for k := range total {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		s := sources[k/stretch%len(sources)]
		row, err := s.log.read()
		if err == io.EOF {
			return 0, fmt.Errorf(
				"match %d of %d is missing: shard %s, %s, ends before it; play it to its end first", k, total,
				s.cup.Shard, s.cup.Dir)
		}
		if err != nil {
			return 0, err
		}
		line = row.Append(line[:0])
		if _, err := log.Write(line); err != nil {
			return 0, err
		}
		seats := s.times.of(k)
		if s.times.err != nil {
			return 0, s.times.err
		}
		for _, t := range seats {
			if _, err := io.WriteString(times, t.line+"\n"); err != nil {
				return 0, err
			}
		}
		if err := l.Add(row, seats); err != nil {
			return 0, fmt.Errorf("shard %s, %s: %w", s.cup.Shard, s.cup.Dir, err)
		}
		if progress != nil {
			progress(k+1, total)
		}
	}
	for _, s := range sources {
		if row, err := s.log.read(); err != io.EOF {
			return 0, cmp.Or(
				err,
				fmt.Errorf("shard %s, %s, has match %d, and the plan has %d matches", s.cup.Shard, s.cup.Dir,
					row.K, total),
			)
		}
	}
	return total, nil
}

// source is a shard that is read.
type source struct {
	cup   *Cup
	log   *log
	times *timesLog
}

func (c *Cup) open() (*source, error) {
	l, err := c.openLog(c.first(), 0)
	if err != nil {
		return nil, err
	}
	t, err := c.openTimes(0)
	if err != nil {
		l.close()
		return nil, err
	}
	return &source{c, l, t}, nil
}

func (s *source) close() {
	s.log.close()
	s.times.close()
}

// writeFile writes a file through a buffer, and has the disk keep it.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	err = write(out)
	if err == nil {
		err = errors.Join(out.Flush(), f.Sync())
	}
	return errors.Join(err, f.Close())
}

// copyTree copies the files of a folder that exists into another one. Files that are there already
// are those of another shard, and equal.
func copyTree(to, from string) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
		return copyFile(target, path)
	})
}

// copyFile copies a file with its permissions, unless it was copied before.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
