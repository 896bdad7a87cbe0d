package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
)

// For any content of a recording with valid checksums, the result is an error or events
// in JSON.
func FuzzRecording(f *testing.F) {
	for _, records := range playedRecords(f) {
		f.Add(records)
		lines := strings.SplitAfter(records, "\n")
		f.Add(strings.Join(lines[:len(lines)/2], ""))
		f.Add(lines[0] + strings.Join(lines[len(lines)/2:], ""))
	}
	f.Fuzz(func(t *testing.T, records string) {
		if strings.Count(records, "\n") > 200 {
			return
		}
		var file []byte
		for line := range strings.SplitSeq(strings.TrimSuffix(records, "\n"), "\n") {
			file = fmt.Appendf(file, "%08x %s\n",
				crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli)), line)
		}
		read := func() *recording.Reader {
			r, err := recording.NewReader(bytes.NewReader(file), int64(len(file)))
			if err != nil || r.Header().Players+r.Header().Specials > 16 {
				return nil // larger games take too long
			}
			return r
		}
		r := read()
		if r == nil {
			return
		}
		_, verdict := recording.Verify(t.Context(), r, gameList.Replay, nil)
		var events bytes.Buffer
		about := feed.Recorded{
			ID: "id", Again: func() (*recording.Reader, error) { return read(), nil },
		}
		if err := feed.WriteRecorded(t.Context(), &events, about, read(), gameList.Replay); err != nil {
			if verdict == nil && !errors.Is(err, recording.ErrEmpty) {
				t.Errorf("%q is verified, and shown with the error %v", records, err)
			}
			return
		}
		for line := range bytes.Lines(events.Bytes()) {
			if !json.Valid(line) {
				t.Errorf("%q is shown as %q, which is no JSON", records, line)
			}
		}
	})
}

// playedRecords returns the records of a match of each game, one per line.
func playedRecords(f *testing.F) (list []string) {
	dir := f.TempDir()
	for _, game := range []string{
		"play --turns 12 --map pebble --sudden-death hunter painter",
		"play --turns 5 --game hextictactoe random random",
	} {
		cmd := command(f, append(strings.Fields(game), "--http", "", "--record", dir)...)
		if said, err := cmd.CombinedOutput(); err != nil {
			f.Fatalf("%s: %v\n%s", game, err, said)
		}
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*"+recording.Extension))
	if err != nil || len(paths) != 2 {
		f.Fatal(paths, err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		f.Fatal(err)
	}
	defer d.Close()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err == nil {
			data, err = d.DecodeAll(data, nil)
		}
		if err != nil {
			f.Fatal(err)
		}
		var records []byte
		for line := range bytes.Lines(data) {
			_, record, _ := bytes.Cut(line, []byte{' '})
			records = append(records, record...)
		}
		list = append(list, string(records))
	}
	return list
}
