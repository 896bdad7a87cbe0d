package recording

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// packRecords returns a finished recording with the given records.
func packRecords(t testing.TB, records ...string) []byte {
	t.Helper()
	var lines []byte
	for _, record := range records {
		start := len(lines)
		lines = endLine(append(beginLine(lines), record...), start)
	}
	path := t.TempDir() + "/packed"
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, _, footer, err := new(Packer).packLines(bytes.NewReader(lines), f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(footer); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// much returns a list of the given size in bytes.
func much(element string, size int) string {
	return "[" + strings.Repeat(element+",", size/(len(element)+1)) + element + "]"
}

// Reading a file takes memory in proportion to its size, even if it decompresses to far
// more.
func TestDecompressionBombs(t *testing.T) {
	thorough.Full(t)
	const (
		header = `{"hexarena_recording":1,"rules":"external","players":1,"specials":0,"turns":9,"seats":[{"nickname":"a"}],"counts":["n"]}`
		start  = `{"turn":0,"at_us":0,"inputs":[],"refused":[],"tally":[[0]],"digest":"0000000000000000","winner":-1,"state":{}}`
		size   = 3 << 20 // of a list, in a line that is not too long
	)
	turn := func(fields string) string {
		return `{"turn":0,"at_us":0,` + fields + `,"tally":[[0]],"digest":"0000000000000000","winner":-1,"state":{}}`
	}
	for _, test := range []struct {
		name    string
		records []string
		want    string
	}{
		{"inputs", []string{
			header, turn(`"refused":[],"inputs":` + much(`{"player":0}`, size)),
		}, "inputs: more than 2"},
		{"left", []string{
			header, turn(`"refused":[],"inputs":[],"left":` + much(`{"player":0}`, size)),
		}, "left: more than 1"},
		{"printed", []string{
			header, turn(`"refused":[],"inputs":[],"printed":` + much(`{"player":0}`, size)),
		}, "printed: more than 1"},
		{"lines", []string{
			header,
			turn(`"refused":[],"inputs":[],"printed":[{"player":0,"lines":` + much(`""`, size) + `}]`),
		}, "lines: more than 16384"},
		{"tally", []string{header, `{"turn":0,"tally":` + much(`[0]`, size) + `}`}, "tally: more than 1"},
		{"seats", []string{
			`{"hexarena_recording":1,"Seats":` + much(`{}`, size) + `}`,
		}, "seats: more than 2048"},
		{"command", []string{
			`{"hexarena_recording":1,"seats":[{"command":` + much(`""`, size) + `}]}`,
		}, "command: more than 4096"},
		{"counts", []string{
			`{"hexarena_recording":1,"counts":` + much(`""`, size) + `}`,
		}, "counts: more than 64"},
		{"options", []string{
			`{"hexarena_recording":1,"options":{` + strings.Repeat(`"a":"b",`, size/8) + `"a":"b"}}`,
		}, "options: more than 256"},
		{"labels", []string{
			`{"hexarena_recording":1,"labels":{` + strings.Repeat(`"a":"b",`, size/8) + `"a":"b"}}`,
		}, "labels: more than 256"},
		{"end", []string{
			header, start, `{"end":{"turns":0,"left":` + much(`{}`, size) + `}}`,
		}, "left: more than 1"},
		{"output", []string{
			header, start, `{"end":{"turns":0,"printed":[{"player":0,"lines":` + much(`""`, size) + `}]}}`,
		}, "lines: more than 16384"},
		{"line", []string{
			header, turn(`"refused":[],"inputs":[],"x":` + much(`0`, 45<<20)),
		}, "a line of more than"},
		{"ratio", append([]string{header}, repeated(turn(`"refused":[],"inputs":[],"x":`+much(`0`, size)), 30)...), "bytes of lines in a file of"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := packRecords(t, test.records...)
			if len(file) > 32<<10 {
				t.Fatalf("the file has %d bytes", len(file))
			}
			test.records = nil
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := readAll(file)
			runtime.ReadMemStats(&after)
			var damage *DamageError
			if !errors.As(err, &damage) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("reading fails with %v, want %s", err, test.want)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 48<<20 {
				t.Errorf("reading a file of %d bytes allocates %d MB", len(file), taken>>20)
			}
		})
	}
}

func repeated(record string, times int) (list []string) {
	for range times {
		list = append(list, record)
	}
	return list
}

func readAll(file []byte) error {
	r, err := NewReader(bytes.NewReader(file), int64(len(file)))
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// Every recording can be read, also of bots that repeat answers of equal bytes, which
// compress best. A match that would compress beyond the limits of a reader stays
// uncompressed.
func TestRepetitiveMatchesAreRead(t *testing.T) {
	thorough.Full(t)
	for _, test := range []struct {
		turns, debug int
		packed       bool
	}{
		{400, 16 << 10, true},
		{400, 60 << 10, true},
		{6, 4 << 20, false},
	} {
		m := small(test.turns)
		r := m.open(t)
		m.begin(t, r)
		debug := []byte(`{"text":"` + strings.Repeat("x", test.debug) + `"}`)
		for step := 1; step <= m.turns; step++ {
			p := m.step(step)
			for i := range p.Answers {
				p.Answers[i].Debug = debug
			}
			r.Played(p)
			m.states = append(m.states, nil)
		}
		r.Ended(m.ending())
		file, err := os.ReadFile(r.Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := readAll(file); err != nil {
			t.Errorf("%d turns with %d bytes from each player: %v", test.turns, test.debug, err)
		}
		if _, packed, _ := findFrames(bytes.NewReader(file), int64(len(file))); packed != test.packed {
			t.Errorf("%d turns with %d bytes from each player are packed: %v", test.turns, test.debug,
				packed)
		}
	}
}
