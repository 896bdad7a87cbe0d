package maps

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Verdict reports whether a map treats its players equally.
type Verdict string

// The verdicts.
const (
	Symmetric Verdict = "fair: symmetric"       // symmetries of the map take any player to any other
	Even      Verdict = "fair: equal distances" // no such symmetries, but equal distances and areas
	Unfair    Verdict = "unfair"
	Unjudged  Verdict = "not judged: not symmetric, and too large to measure"
)

// Fairness is the result of [Judge].
type Fairness struct {
	Verdict Verdict `json:"verdict"`
	// the number of rotations and reflections that preserve the map, identity included
	Symmetries int `json:"symmetries"`
	// for an unfair map: in what players differ, and which
	Differences []string `json:"differences,omitempty"`
}

// maxSteps limits the work of measuring distances, in cells visited.
const maxSteps = 1 << 30

// Judge determines whether a map treats its players equally.
//
// It does if symmetries of the board that preserve the starting and the special positions
// map any player to any other. Otherwise it does if all players have the same walking
// distances to the other players' characters, to the special positions and among their own
// characters, and the same number of cells that are nearer to them than to any other player.
func Judge(m *hexabomb.Map) Fairness {
	g := NewGraph(m.Cells)
	count, transitive := symmetries(g, m)
	f := Fairness{Verdict: Unfair, Symmetries: count}
	switch {
	case transitive:
		f.Verdict = Symmetric
	case len(m.Starts)*len(m.Starts[0])*len(m.Cells) > maxSteps:
		f.Verdict = Unjudged
	default:
		if f.Differences = differences(measure(g, m)); len(f.Differences) == 0 {
			f.Verdict = Even
		}
	}
	return f
}

// symmetries counts the symmetries of a map and reports whether they map the first player to
// every other.
func symmetries(g *Graph, m *hexabomb.Map) (count int, transitive bool) {
	owner := map[hexgrid.Coord]int{}
	for _, c := range m.Specials {
		owner[c] = none
	}
	for p, starts := range m.Starts {
		for _, c := range starts {
			owner[c] = p
		}
	}
	// The symmetries form a group, so the images of the first player are its orbit.
	reached := map[int]bool{}
	for _, motion := range boardMotions(g) {
		if to, ok := permutation(motion, m, owner); ok {
			count++
			if len(to) > 0 {
				reached[to[0]] = true
			}
		}
	}
	return count, len(reached) == len(m.Starts)
}

// spread counts how often each number of steps occurs; the key none counts unreachable places.
type spread map[int32]int

// standing holds the measurements of one player's starting positions.
type standing struct {
	others, specials, own spread
	area                  int // cells nearer to the player than to any other
}

// measure returns the standing of every player.
func measure(g *Graph, m *hexabomb.Map) []standing {
	all := make([]standing, len(m.Starts))
	starts := make([][]int32, len(m.Starts))
	for p, list := range m.Starts {
		starts[p] = g.indices(list)
	}
	specials := g.indices(m.Specials)
	toOthers, toSpecials, toOwn := newTally(g), newTally(g), newTally(g)
	w := newWalk(g)
	for p := range starts {
		for _, from := range starts[p] {
			w.from(from)
			for other := range starts {
				to := toOthers
				if other == p {
					to = toOwn
				}
				to.add(w, starts[other])
			}
			toSpecials.add(w, specials)
		}
		all[p] = standing{others: toOthers.take(), specials: toSpecials.take(), own: toOwn.take()}
	}
	for _, p := range nearest(w, m) {
		if p != none {
			all[p].area++
		}
	}
	return all
}

// tally counts distances: tally[d-none] is how often d occurred.
type tally []int

func newTally(g *Graph) tally { return make(tally, len(g.cells)-none) }

func (t tally) add(w *walk, to []int32) {
	for _, i := range to {
		t[w.dist[i]-none]++
	}
}

// take returns the counts and resets them.
func (t tally) take() spread {
	s := spread{}
	for i, times := range t {
		if times > 0 {
			s[int32(i)+none] = times
		}
	}
	clear(t)
	return s
}

// nearest returns the player nearest to each cell, none if two players are equally near. The
// players nearest to a cell are those nearest to the neighbours from which it is reached first.
func nearest(w *walk, m *hexabomb.Map) []int {
	var sources []int32
	owner := make([]int, len(w.cells))
	for p, starts := range m.Starts {
		for _, c := range starts {
			sources = append(sources, w.At(c))
			owner[w.At(c)] = p
		}
	}
	w.from(sources...)
	for i, dist := range w.dist {
		if dist == none {
			owner[i] = none
		}
	}
	for _, i := range w.queue[len(sources):] {
		first := true
		for _, j := range w.Near[i] {
			if j == none || w.dist[j] != w.dist[i]-1 {
				continue
			}
			if first {
				owner[i], first = owner[j], false
			} else if owner[i] != owner[j] {
				owner[i] = none
			}
		}
	}
	return owner
}

// differences returns a line for each respect in which players differ.
func differences(all []standing) (lines []string) {
	for _, respect := range []struct {
		name string
		of   func(standing) spread
	}{
		{"steps to the other players' characters", func(s standing) spread { return s.others }},
		{"steps to the special positions", func(s standing) spread { return s.specials }},
		{"steps among its own characters", func(s standing) spread { return s.own }},
	} {
		if line, differ := compareSpreads(all, respect.of); differ {
			lines = append(lines, respect.name+": "+line)
		}
	}
	least, most := extremes(all, func(s standing) float64 { return float64(s.area) })
	if all[least].area != all[most].area {
		lines = append(lines, fmt.Sprintf("cells nearer to it than to any other player: %d for player "+
			"%d, %d for player %d",
			all[least].area, least, all[most].area, most))
	}
	return lines
}

func compareSpreads(all []standing, of func(standing) spread) (line string, differ bool) {
	odd := slices.IndexFunc(all, func(s standing) bool { return !maps.Equal(of(s), of(all[0])) })
	if odd == none {
		return "", false
	}
	a, b := extremes(all, func(s standing) float64 { return of(s).mean() })
	if of(all[a]).mean() == of(all[b]).mean() {
		a, b = 0, odd // equal averages, different distances
	}
	return fmt.Sprintf("%v for player %d, %v for player %d", of(all[a]), a, of(all[b]), b), true
}

// extremes returns the first players with the least and the greatest value.
func extremes(all []standing, value func(standing) float64) (least, most int) {
	for p := range all {
		if value(all[p]) < value(all[least]) {
			least = p
		}
		if value(all[p]) > value(all[most]) {
			most = p
		}
	}
	return least, most
}

// mean returns the average of the reachable distances.
func (s spread) mean() float64 {
	sum, n := 0, 0
	for steps, times := range s {
		if steps != none {
			sum += int(steps) * times
			n += times
		}
	}
	return float64(sum) / float64(max(n, 1))
}

func (s spread) String() string {
	steps := slices.Sorted(maps.Keys(s))
	beyond := ""
	if s[none] > 0 {
		beyond = fmt.Sprintf(" (%d unreachable)", s[none])
		steps = steps[1:]
	}
	if len(steps) == 0 {
		return "none" + beyond
	}
	return fmt.Sprintf("%d to %d, %.2f on average%s", steps[0], steps[len(steps)-1], s.mean(), beyond)
}
