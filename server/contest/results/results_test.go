package results

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// row returns the result of match k.
func row(k int) *Row {
	return &Row{
		K: k, Seed: 1<<53 - 1 - uint64(k), Map: "pebble", Bots: []string{"a", "b \"c\""},
		Scores: []int64{-3, int64(k)},
		Ranks:  []int{2, 1}, Refused: []int{0, 4}, Forfeits: []string{"", "crash"},
		Digest: 0x00ff_0123_4567_89ab,
	}
}

func log(rows int) (text []byte) {
	for k := range rows {
		text = row(k).Append(text)
	}
	return text
}

// The format is fixed: golden bytes.
func TestRow(t *testing.T) {
	const want = `{"k":7,"seed":9007199254740984,"map":"pebble","bots":["a","b \"c\""],"scores":[-3,7],"ranks":[2,1],` +
		`"refused":[0,4],"forfeits":["","crash"],"digest":"00ff0123456789ab"}` + "\n"
	if got := row(7).Append(nil); string(got) != want {
		t.Errorf("the line is %s, want %s", got, want)
	}
}

// All rows come back, wherever a log is cut off: a torn last line is dropped, and the offset is
// where the contest goes on.
func TestTornLog(t *testing.T) {
	thorough.Long(t)
	text := log(3)
	for length := range len(text) + 1 {
		r := NewReader(bytes.NewReader(text[:length]), 0, 0)
		whole := bytes.Count(text[:length], []byte("\n"))
		for k := range whole {
			if got, err := r.Read(); err != nil || !reflect.DeepEqual(got, row(k)) {
				t.Fatalf("of %d bytes, row %d is %+v, %v", length, k, got, err)
			}
		}
		if got, err := r.Read(); err != io.EOF {
			t.Fatalf("of %d bytes, row %d is %+v, %v, want the end", length, whole, got, err)
		}
		if want := int64(bytes.LastIndexByte(text[:length], '\n') + 1); r.Offset() != want ||
			r.Next() != whole {
			t.Fatalf("of %d bytes, match %d comes at %d, want %d at %d", length, r.Next(), r.Offset(), whole,
				want)
		}
	}
}

// A loss of power leaves zeros for what was not synced, also before rows that were: there the log
// ends.
func TestLostRows(t *testing.T) {
	text := log(3)
	first := bytes.IndexByte(text, '\n') + 1
	clear(text[first+5 : 2*first])
	r := NewReader(bytes.NewReader(text), 0, 0)
	if got, err := r.Read(); err != nil || got.K != 0 {
		t.Fatalf("the first row is %+v, %v", got, err)
	}
	if got, err := r.Read(); err != io.EOF || r.Offset() != int64(first) {
		t.Errorf("the lost row is %+v, %v, and the log goes on at %d, want the end at %d", got, err,
			r.Offset(), first)
	}
}

// Reading goes on where another reader ended.
func TestReaderGoesOn(t *testing.T) {
	text := log(5)
	first := NewReader(bytes.NewReader(text), 0, 0)
	for range 2 {
		if _, err := first.Read(); err != nil {
			t.Fatal(err)
		}
	}
	second := NewReader(bytes.NewReader(text[first.Offset():]), first.Next(), first.Offset())
	if got, err := second.Read(); err != nil || got.K != 2 {
		t.Errorf("the reader goes on with %+v, %v", got, err)
	}
	for range 2 {
		if _, err := second.Read(); err != nil {
			t.Fatal(err)
		}
	}
	if second.Offset() != int64(len(text)) {
		t.Errorf("the log ends at %d, want %d", second.Offset(), len(text))
	}
}

// Damage before the last line is an error that says where it is.
func TestDamagedLog(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":       "nonsense\n",
		"another match": string(row(1).Append(nil)),
		"an extra key":  strings.Replace(string(log(1)), `"k":0`, `"k":0,"x":1`, 1),
		"short lists":   strings.Replace(string(log(1)), `"ranks":[2,1]`, `"ranks":[2]`, 1),
		"a digest":      strings.Replace(string(log(1)), "00ff", "ff", 1),
		"a float":       strings.Replace(string(log(1)), "[-3,0]", "[-3.5,0]", 1),
		"a long line":   strings.Repeat("x", 2*maxLine) + "\n",
	} {
		if _, err := NewReader(strings.NewReader(text), 0, 0).Read(); err == nil ||
			!strings.Contains(err.Error(), "match 0, at offset 0") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// A damaged log gives an error or rows, and no row that is written in another way.
func FuzzReader(f *testing.F) {
	f.Add(log(2))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text), 0, 0)
		for {
			got, err := r.Read()
			if err != nil {
				return
			}
			again, err := NewReader(bytes.NewReader(got.Append(nil)), got.K, 0).Read()
			if err != nil || again.K != got.K || again.Digest != got.Digest ||
				len(again.Bots) != len(got.Bots) {
				t.Fatalf("%+v is read as %+v, %v", got, again, err)
			}
		}
	})
}

// A line has the bytes that encoding/json gives.
func TestLineIsJSON(t *testing.T) {
	texts := []string{"", "plain ~", `a"b\c`, "<&>", "é\u2028", "\x00\t\x7f", "\xff", "\n"}
	for _, r := range []Row{{}, {
		K: -1, Seed: 1<<64 - 1, Map: "a<b", Bots: texts, Scores: []int64{-1 << 63, 0}, Ranks: []int{},
		Refused: []int{1, -2}, Forfeits: []string{},
		Digest: 0xab, Versions: texts,
	}} {
		want, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.Append(nil)); got != string(want)+"\n" {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
