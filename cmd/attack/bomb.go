//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/recording"
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
	{"inputs", `{"turn":0,"at_us":0,"inputs":[`, `{"player":0},`, `{"player":0}],"refused":[],"tally":[],"digest":""}`},
	{"printed", `{"turn":0,"at_us":0,"inputs":[],"refused":[],"printed":[{"player":0,"lines":[`, `"",`, `""]}],"tally":[],"digest":""}`},
}

// plantBombs adds bombs to the recordings, named as those of matches.
func plantBombs(o *options, recordings string) error {
	header, err := o.header(recordings)
	if err != nil {
		return err
	}
	for _, b := range bombs {
		line := bytes.NewBuffer(make([]byte, 0, bombSize+1<<10))
		line.WriteString(b.before)
		for line.Len() < bombSize {
			line.WriteString(b.again)
		}
		line.WriteString(b.after)
		packed, err := pack(header, line.Bytes())
		if err != nil {
			return err
		}
		name := time.Now().UTC().Format("20060102-150405") + "-" + b.name + recording.Extension
		if err := os.WriteFile(filepath.Join(recordings, name), packed, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// pack compresses lines of a recording with their checksums.
func pack(records ...[]byte) ([]byte, error) {
	var packed bytes.Buffer
	// The decoder refuses a larger window.
	z, err := zstd.NewWriter(&packed, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		sum := crc32.Checksum(r, crc32.MakeTable(crc32.Castagnoli))
		if _, err := fmt.Fprintf(z, "%08x %s\n", sum, r); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return packed.Bytes(), err
}

// header returns the first record of a recording in the folder.
func (o *options) header(recordings string) ([]byte, error) {
	name, err := newest(recordings)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(recordings, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text := make([]byte, 1<<20) // more than any header here
	n, err := io.ReadFull(z, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	line, _, ok := bytes.Cut(text[:n], []byte("\n"))
	_, record, spaced := bytes.Cut(line, []byte(" "))
	if !ok || !spaced {
		return nil, fmt.Errorf("%s has no first line", name)
	}
	return record, nil
}

// newest returns the name of the recording that recordStory wrote.
func newest(recordings string) (string, error) {
	files, err := filepath.Glob(filepath.Join(recordings, "*-story"+recording.Extension))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no recording in %s, %v", recordings, err)
	}
	return filepath.Base(files[len(files)-1]), nil
}

// storyTurns is the number of turns of the recording that readers request.
const storyTurns = "1500"

// recordStory records a match in a folder.
func (o *options) recordStory(ctx context.Context, recordings string) error {
	cmd := exec.CommandContext(ctx, o.program, "play", "--headless", "--turns", storyTurns, "--seed", "1", "--record", recordings)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("hexarena play: %w: %s", err, text)
	}
	files, err := filepath.Glob(filepath.Join(recordings, "*"+recording.Extension))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("hexarena play left %d recordings, %v", len(files), err)
	}
	return os.Rename(files[0], strings.TrimSuffix(files[0], recording.Extension)+"-story"+recording.Extension)
}

// verifyTime is the time limit of verifying a bomb.
const verifyTime = time.Minute

// verifyBombs verifies each bomb in a process of its own, whose verdict does not matter.
func verifyBombs(o *options, ctx context.Context, a attack) (r row, err error) {
	r.attack = a
	dir, err := os.MkdirTemp(o.dir, "bombs-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	if err := o.recordStory(ctx, dir); err != nil {
		return r, err
	}
	if err := plantBombs(o, dir); err != nil {
		return r, err
	}
	ctx, stop := context.WithTimeout(ctx, verifyTime)
	defer stop()
	for _, b := range bombs {
		files, err := filepath.Glob(filepath.Join(dir, "*-"+b.name+recording.Extension))
		if err != nil || len(files) != 1 {
			return r, fmt.Errorf("%d bombs named %s, %v", len(files), b.name, err)
		}
		r.tally.Requests++
		words := o.confined(attackedFrom, nil, o.program, "replay", "verify", files[0])
		peak, err := runPeak(exec.CommandContext(ctx, words[0], words[1:]...))
		if err != nil || ctx.Err() != nil {
			return r, fmt.Errorf("replay verify %s did not end within %v (%w)", b.name, verifyTime, errors.Join(err, ctx.Err()))
		}
		r.peak = max(r.peak, peak)
	}
	r.judge(0)
	return r, nil
}

// peakEvery is the interval at which runPeak measures a process: a bomb makes its memory
// grow for tens of milliseconds at least.
const peakEvery = 2 * time.Millisecond

// runPeak runs a command and returns the peak of its resident memory in bytes; its exit
// code does not matter. The figure that the system has for an ended process is no use: it
// includes the memory that the process shared with its parent before it called exec.
func runPeak(cmd *exec.Cmd) (peak int, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	tick := time.NewTicker(peakEvery)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return peak, nil
		case <-tick.C:
			peak = max(peak, harness.Peak(cmd.Process.Pid))
		}
	}
}
