//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/tools/harness"
)

// bombSize is the length of a bomb's line, just below the longest one that a reader
// accepts.
const bombSize = 45 << 20

// bombs are recordings with one turn, whose line is long and takes even more memory when
// it is parsed.
var bombs = []struct {
	name                 string
	before, again, after string
}{
	{
		"inputs", `{"turn":0,"at_us":0,"inputs":[`, `{"player":0},`,
		`{"player":0}],"refused":[],"tally":[],"digest":""}`,
	},
	{
		"printed", `{"turn":0,"at_us":0,"inputs":[],"refused":[],"printed":[{"player":0,"lines":[`,
		`"",`, `""]}],"tally":[],"digest":""}`,
	},
}

// plantBombs adds bombs beside a recording, named as those of matches.
func plantBombs(story string) error {
	r, err := recording.Open(story)
	if err != nil {
		return err
	}
	header, err := json.Marshal(r.Header())
	if err := errors.Join(err, r.Close()); err != nil {
		return err
	}
	// The decoder refuses a larger window.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(1<<20))
	if err != nil {
		return err
	}
	for _, b := range bombs {
		lines := appendLine(nil, header)
		lines = appendLine(lines,
			[]byte(b.before+strings.Repeat(b.again, (bombSize-len(b.before))/len(b.again))+b.after))
		if err := os.WriteFile(bombFile(story, b.name), z.EncodeAll(lines, nil), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// appendLine appends a line of a recording, which begins with the record's checksum.
func appendLine(lines, record []byte) []byte {
	return fmt.Appendf(lines, "%08x %s\n", crc32.Checksum(record, crc32.MakeTable(crc32.Castagnoli)),
		record)
}

// bombFile returns the path of a bomb beside a recording.
func bombFile(story, name string) string {
	return strings.TrimSuffix(story, recording.Extension) + "-" + name + recording.Extension
}

// verifyTime is the time limit of verifying a bomb.
const verifyTime = time.Minute

// peakEvery is the interval at which a process that verifies is measured: a bomb makes its
// memory grow for tens of milliseconds at least. The figure that the system has for an
// ended process is no use: it includes the memory that the process shared with its parent
// before it called exec.
const peakEvery = 2 * time.Millisecond

// verifyBombs verifies each bomb in a separate process, whose verdict does not matter.
func verifyBombs(o *options, ctx context.Context, a attack) (r row, err error) {
	r.attack = a
	dir, err := os.MkdirTemp(o.Dir, "bombs-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	story, err := o.recordStory(ctx, dir)
	if err != nil {
		return r, err
	}
	if err := plantBombs(story); err != nil {
		return r, err
	}
	ctx, stop := context.WithTimeout(ctx, verifyTime)
	defer stop()
	for _, b := range bombs {
		r.tally.Requests++
		p, err := o.start(ctx, attackedFrom, o.Hexarena, "replay", "verify", bombFile(story, b.name))
		if err != nil {
			return r, err
		}
		p.Watch(func([]byte) {})
		for ended := false; !ended; {
			select {
			case <-p.Down():
				ended = true
			case <-time.After(peakEvery):
				r.peak = max(r.peak, int64(harness.Peak(p.ID())))
			}
		}
		if p.Stop(); ctx.Err() != nil {
			return r, fmt.Errorf("replay verify %s did not end within %v", b.name, verifyTime)
		}
	}
	r.judge(0)
	return r, nil
}
