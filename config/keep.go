package config

import (
	"strconv"
	"strings"
	"time"
)

// Keep bounds the recordings that stay in their folder: the newest ones up to each bound
// that is not zero.
type Keep struct {
	Files int
	Bytes int64
	Age   time.Duration
}

// minKeepBytes is the least value of Keep.Bytes. A single match may take half of it, and
// has to fit.
const minKeepBytes = 16 << 20

// KeepAccepts describes the values that ParseKeep accepts.
const KeepAccepts = "all, or a number of files such as 100, a size of at least 16MiB such as " +
	"1GiB, an age such as 30d or 72h, or several of these with commas"

const (
	keepAll = "all"
	day     = 24 * time.Hour
)

// sizeUnits are the units of sizes, the largest first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"TiB", 1 << 40},
	{"GiB", 1 << 30},
	{"MiB", 1 << 20},
	{"KiB", 1 << 10},
	{"TB", 1e12},
	{"GB", 1e9},
	{"MB", 1e6},
	{"kB", 1e3},
}

// ParseKeep parses bounds separated by commas, each kind at most once; ok is false if text
// is invalid.
func ParseKeep(text string) (k Keep, ok bool) {
	if text == keepAll {
		return Keep{}, true
	}
	for part := range strings.SplitSeq(text, ",") {
		var bound Keep
		if bound, ok = parseBound(part); !ok ||
			bound.Files > 0 && k.Files > 0 || bound.Bytes > 0 && k.Bytes > 0 || bound.Age > 0 && k.Age > 0 {
			return Keep{}, false
		}
		k = Keep{k.Files + bound.Files, k.Bytes + bound.Bytes, k.Age + bound.Age}
	}
	return k, true
}

func parseBound(text string) (k Keep, ok bool) {
	for _, u := range sizeUnits {
		if digits, found := strings.CutSuffix(text, u.name); found {
			n, err := strconv.ParseUint(digits, 10, 20)
			k.Bytes = int64(n) * u.bytes
			return k, err == nil && k.Bytes >= minKeepBytes
		}
	}
	if digits, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.ParseUint(digits, 10, 16)
		k.Age = time.Duration(n) * day
		return k, err == nil && n > 0
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		k.Files = int(n)
		return k, n > 0
	}
	var err error
	k.Age, err = time.ParseDuration(text)
	return k, err == nil && k.Age > 0
}

// String returns k in the form of ParseKeep.
func (k Keep) String() string {
	var parts []string
	if k.Files > 0 {
		parts = append(parts, strconv.Itoa(k.Files))
	}
	if k.Bytes > 0 {
		parts = append(parts, formatSize(k.Bytes))
	}
	switch {
	case k.Age > 0 && k.Age%day == 0:
		parts = append(parts, strconv.FormatInt(int64(k.Age/day), 10)+"d")
	case k.Age > 0:
		parts = append(parts, k.Age.String())
	}
	if parts == nil {
		return keepAll
	}
	return strings.Join(parts, ",")
}

// formatSize returns a size in the largest unit that divides it.
func formatSize(n int64) string {
	best := sizeUnits[len(sizeUnits)-1]
	for _, u := range sizeUnits {
		if n%u.bytes == 0 && (n%best.bytes != 0 || u.bytes > best.bytes) {
			best = u
		}
	}
	return strconv.FormatInt(n/best.bytes, 10) + best.name
}
