// Package results is the log of a contest: one row for each match, in the order of their numbers,
// as lines of JSON that hold integers and strings only. It is all that a contest has to keep:
// tables follow from it, and the same contest gives the same bytes.
package results

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Row is the result of a match. The slices have an element for each seat.
type Row struct {
	K        int      `json:"k"`
	Seed     uint64   `json:"seed"`
	Map      string   `json:"map"`
	Bots     []string `json:"bots"`
	Scores   []int64  `json:"scores"` // the game's
	Ranks    []int    `json:"ranks"`  // from 1; equal ranks are ties
	Refused  []int    `json:"refused"`
	Forfeits []string `json:"forfeits"` // the kind, such as "crash"; empty for a bot that played on
	Digest   Digest   `json:"digest"`
	// Versions tell the versions of bots apart that change between matches, as those of an event
	// do; empty where it is not known. The whole list is nil if no bot may change.
	Versions []string `json:"versions,omitempty"`
}

// There reports whether the bot in a seat is known to have logged in. If it is the only one that no
// forfeit keeps away, it was started only if another one was, which is absent.
func (r *Row) There(seat int) bool {
	if !TookPart(r.Forfeits[seat]) {
		return false
	}
	for i, kind := range r.Forfeits {
		if i != seat && kind != Unstarted {
			return true
		}
	}
	return false
}

// Digest is a sum over the accepted actions of each turn and the final state. In JSON it is a
// string of 16 hexadecimal digits, since not every JSON reader keeps integers of 64 bits.
type Digest uint64

// MarshalText returns 16 hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return d.append(nil), nil }

func (d Digest) append(dst []byte) []byte {
	var bytes [8]byte
	binary.BigEndian.PutUint64(bytes[:], uint64(d))
	return hex.AppendEncode(dst, bytes[:])
}

// UnmarshalText reads 16 hexadecimal digits.
func (d *Digest) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("digest %.40q: want 16 hexadecimal digits", text)
	}
	*d = Digest(n)
	return nil
}

// Append appends the row as a line. Equal rows give equal bytes: those of encoding/json, which
// takes five times as long.
func (r *Row) Append(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"k":`...), int64(r.K), 10)
	dst = strconv.AppendUint(append(dst, `,"seed":`...), r.Seed, 10)
	dst = appendString(append(dst, `,"map":`...), r.Map)
	dst = appendList(append(dst, `,"bots":`...), r.Bots, appendString)
	dst = appendList(append(dst, `,"scores":`...), r.Scores, appendInt)
	dst = appendList(append(dst, `,"ranks":`...), r.Ranks, appendInt)
	dst = appendList(append(dst, `,"refused":`...), r.Refused, appendInt)
	dst = appendList(append(dst, `,"forfeits":`...), r.Forfeits, appendString)
	dst = append(r.Digest.append(append(dst, `,"digest":"`...)), '"')
	if len(r.Versions) > 0 {
		dst = appendList(append(dst, `,"versions":`...), r.Versions, appendString)
	}
	return append(dst, '}', '\n')
}

// appendList appends a list as JSON; a nil one is null.
func appendList[T any](dst []byte, list []T, one func([]byte, T) []byte) []byte {
	if list == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, e)
	}
	return append(dst, ']')
}

func appendInt[T int | int64](dst []byte, n T) []byte {
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendString appends a text as JSON.
func appendString(dst []byte, text string) []byte {
	special := func(c rune) bool { return c < ' ' || c > '~' || strings.ContainsRune(`"\<>&`, c) }
	if !strings.ContainsFunc(text, special) {
		return append(append(append(dst, '"'), text...), '"')
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // texts do not fail
	}
	return append(dst, quoted...)
}

// check returns an error if the slices do not have one element for each seat.
func (r *Row) check() error {
	for _, n := range []int{len(r.Scores), len(r.Ranks), len(r.Refused), len(r.Forfeits)} {
		if n != len(r.Bots) {
			return fmt.Errorf("match %d has %d bots and a list of %d", r.K, len(r.Bots), n)
		}
	}
	if n := len(r.Versions); n != 0 && n != len(r.Bots) {
		return fmt.Errorf("match %d has %d bots and %d versions", r.K, len(r.Bots), n)
	}
	return nil
}
