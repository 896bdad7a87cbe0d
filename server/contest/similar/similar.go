// Package similar finds pairs of bots that are alike after renaming and reformatting.
//
// It compares fingerprints of their tokens, which winnowing selects: S. Schleimer, D. S. Wilkerson
// and A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003. The code
// that all bots of a language begin with does not count.
package similar

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
)

const (
	// gram is the number of tokens that a fingerprint covers. Names and numbers are all alike, so
	// that shorter ones are in most programs: a loop over cells has about as many.
	gram = 20
	// window is the number of grams of which at least one is selected: all runs of gram + window - 1
	// = 30 equal tokens are found, which are three to five lines.
	window = 11
	// maxTeams is the number of teams above which code that they share is taken for common, such as
	// what a lecture has shown. The authors' service has the same default.
	maxTeams = 10
	// few is the number of fingerprints that is added to the size of a bot, so that a short one that
	// has two or three in common by chance is not the first.
	few = 8
	// least is the share of a pair that is returned: programs that were written apart have up to
	// 0.04 in the test, and a copy of a third of a program 0.3.
	least = 0.15
)

// File is a source file.
type File struct {
	Name string // its extension tells the language
	Text []byte
}

// Version is a bot.
type Version struct {
	Team  int // bots of one team are not compared
	Files []File
}

// Pair is two versions that are alike, by their places in the list.
type Pair struct {
	A, B  int
	Share float64 // of the fingerprints of the smaller one, that both have
	Lines [2][]Lines
}

// Lines are lines of a file that the other version has as well.
type Lines struct {
	File        string
	First, Last int // from 1
}

// place is where a fingerprint is in a version.
type place struct {
	file        int
	first, last int // lines
}

// prints is the fingerprints of a version: for each, all places.
type prints map[uint64][]place

// Find returns the pairs of versions that are alike, the most alike first: of each two teams the
// versions that are most alike. What base has does not count. It calls progress with the number of
// versions that are read, which takes most of the time, and of all.
func Find(versions []Version, base []File, progress func(done, total int)) (pairs []Pair) {
	common := map[uint64]bool{}
	for _, f := range base {
		for _, h := range grams(tokens(f)) {
			common[h] = true
		}
	}
	all := make([]prints, len(versions))
	holders := map[uint64][]int{} // versions by their fingerprints
	for i, v := range versions {
		all[i] = printsOf(v, common)
		for h := range all[i] {
			holders[h] = append(holders[h], i)
		}
		progress(i+1, len(versions))
	}
	shared := map[[2]int]int{}
	for h, list := range holders {
		if teamsOf(versions, list) > maxTeams {
			for _, i := range list {
				delete(all[i], h)
			}
			continue
		}
		for n, a := range list {
			for _, b := range list[n+1:] {
				if versions[a].Team != versions[b].Team {
					shared[[2]int{a, b}]++
				}
			}
		}
	}
	best := map[[2]int]Pair{} // by teams
	for at, n := range shared {
		a, b := at[0], at[1]
		p := Pair{A: a, B: b, Share: float64(n) / float64(min(len(all[a]), len(all[b]))+few)}
		if p.Share < least {
			continue
		}
		key := [2]int{
			min(versions[a].Team, versions[b].Team), max(versions[a].Team, versions[b].Team),
		}
		if before, found := best[key]; !found || comparePairs(p, before) < 0 {
			best[key] = p
		}
	}
	for _, p := range best {
		p.Lines[0] = sharedLines(versions[p.A].Files, all[p.A], all[p.B])
		p.Lines[1] = sharedLines(versions[p.B].Files, all[p.B], all[p.A])
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}

// comparePairs orders pairs, the most alike first, and of equal ones the versions that were last.
func comparePairs(a, b Pair) int {
	return cmp.Or(cmp.Compare(b.Share, a.Share), b.A-a.A, b.B-a.B)
}

// teamsOf returns the number of teams of some versions.
func teamsOf(versions []Version, list []int) int {
	teams := map[int]bool{}
	for _, i := range list {
		teams[versions[i].Team] = true
	}
	return len(teams)
}

// printsOf returns the fingerprints of a version, without those of code that is common: of tokens
// in common grams.
func printsOf(v Version, common map[uint64]bool) prints {
	p := prints{}
	for i, f := range v.Files {
		list := tokens(f)
		hashes := grams(list)
		for n, h := range slices.Clone(hashes) {
			if !common[h] {
				continue
			}
			for at := max(0, n-gram+1); at < min(n+gram, len(hashes)); at++ {
				hashes[at] = math.MaxUint64 // so that winnowing prefers any other one
			}
		}
		for _, n := range winnow(hashes, window) {
			if h := hashes[n]; h != math.MaxUint64 {
				p[h] = append(p[h], place{i, list[n].line, list[n+gram-1].line})
			}
		}
	}
	return p
}

// grams returns the hashes of all runs of tokens, by the first token.
func grams(list []token) (hashes []uint64) {
	sums := make([]uint64, len(list)) // without a seed: equal bots give equal results
	for i, t := range list {
		sum := fnv.New64a()
		_, _ = sum.Write([]byte(t.text)) // it never fails
		sums[i] = sum.Sum64()
	}
	for i := range max(0, len(list)-gram+1) {
		var h uint64
		for _, sum := range sums[i : i+gram] {
			h = (bits.RotateLeft64(h, 5) ^ sum) * 0x9e3779b97f4a7c15 // odd, with bits of a random number
		}
		hashes = append(hashes, h)
	}
	return hashes
}

// winnow returns the places of the hashes that are selected: the least of each window, and of equal
// ones the last. Of fewer hashes than a window has it selects one.
func winnow(hashes []uint64, window int) (selected []int) {
	for end := min(window, len(hashes)); end <= len(hashes) && end > 0; end++ {
		least := max(0, end-window)
		for i := least; i < end; i++ {
			if hashes[i] <= hashes[least] {
				least = i
			}
		}
		if n := len(selected); n == 0 || selected[n-1] != least {
			selected = append(selected, least)
		}
	}
	return selected
}

// sharedLines returns the lines of a version that another one has as well, those that follow each
// other as one.
func sharedLines(files []File, own, other prints) (list []Lines) {
	var places []place
	for h, at := range own {
		if _, found := other[h]; found {
			places = append(places, at...)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(a.file-b.file, a.first-b.first, a.last-b.last)
	})
	for i, p := range places {
		if i > 0 && p.file == places[i-1].file && p.first <= list[len(list)-1].Last+1 {
			list[len(list)-1].Last = max(list[len(list)-1].Last, p.last)
			continue
		}
		list = append(list, Lines{files[p.file].Name, p.first, p.last})
	}
	return list
}
