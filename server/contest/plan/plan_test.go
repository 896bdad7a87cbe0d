package plan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/sprt"
)

// example returns a plan of this many bots and seats, on maps with these starting places.
func example(format Format, bots, seats int, places ...int) *Plan {
	p := &Plan{
		Format: format, Game: "toy", Seats: seats, Count: 1000, Settings: []Setting{{"turns", "100"}},
		Seed: 7,
	}
	for i := range bots {
		p.Bots = append(p.Bots,
			Bot{Name: fmt.Sprint("bot ", i), Seat: fmt.Sprintf("./%d", i), Digest: Digest{byte(i)}})
	}
	for i, n := range places {
		p.Maps = append(p.Maps,
			Map{Name: fmt.Sprint("map ", i), Digest: Digest{byte(100 + i)}, Places: n})
	}
	if format == Comparison {
		p.Test = &sprt.Hypotheses{NElo0: 0, NElo1: 30, Alpha: 0.05, Beta: 0.05}
	}
	return p
}

// Every field is part of the digest, and a plan that is read has the digest of the one written.
func TestDigest(t *testing.T) {
	p := example(RoundRobin, 3, 2, 2, 4)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read Plan
	if err := json.Unmarshal(text, &read); err != nil || read.Digest() != p.Digest() ||
		!reflect.DeepEqual(&read, p) {
		t.Errorf("a plan that was written and read is %+v, %v, want %+v", read, err, p)
	}
	seen := map[Digest]int{p.Digest(): -1}
	for i, change := range []func(*Plan){
		func(p *Plan) { p.Bots[1].Digest[31] = 1 },
		func(p *Plan) { p.Bots[0].Seat = "./other" },
		func(p *Plan) { p.Bots[2].Reproducible = true },
		func(p *Plan) { p.Bots[2].JS = "builtin" },
		func(p *Plan) { p.Format = Gauntlet },
		func(p *Plan) { p.Settings[0].Value = "101" },
		func(p *Plan) { p.Maps[0].Digest[0]++ },
		func(p *Plan) { p.Seats = 3 },
		func(p *Plan) { p.Count++ },
		func(p *Plan) { p.Seed++ },
		func(p *Plan) { p.Test = &sprt.Hypotheses{NElo1: 30} },
	} {
		changed := example(RoundRobin, 3, 2, 2, 4)
		change(changed)
		if other, ok := seen[changed.Digest()]; ok {
			t.Errorf("changes %d and %d have the same digest", i, other)
		}
		seen[changed.Digest()] = i
	}
	if err := new(Digest).UnmarshalText([]byte("12345")); err == nil {
		t.Error("a digest of five digits is read")
	}
}

func TestCheck(t *testing.T) {
	for _, p := range []*Plan{example(RoundRobin, 3, 2, 2), example(Comparison, 2, 4, 4), example(Swiss, 17, 4, 6), example(Gauntlet, 2, 2, 2)} {
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", p.Format, err)
		}
	}
	early := example(Ladder, 2, 3, 3)
	if check, kept := early.Check(), early.CheckKept(); check == nil || kept != nil {
		t.Errorf("Check() = %v, want an error; CheckKept() = %v", check, kept)
	}
	bad := example(RoundRobin, 1, 3, 2)
	bad.Count = -1
	err := bad.Check()
	for _, want := range []string{
		"seats = 3: the contest has 1 bots", "bots: there are 1", "map 0 has 2 starting places",
		"count = -1",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check() = %v, want %q in it", err, want)
		}
	}
	for _, p := range []*Plan{example("chess", 2, 2, 2), example(RoundRobin, 2, 2), {Format: Comparison}} {
		if p.Check() == nil {
			t.Errorf("a plan in the format %q passes", p.Format)
		}
	}
}

// In each block every bot of the table has every seat once, and seed, map and places stay the same.
func TestBlocks(t *testing.T) {
	for _, p := range []*Plan{
		example(RoundRobin, 2, 2, 2), example(RoundRobin, 7, 4, 4, 6), example(RoundRobin, 3, 3, 6),
		example(Gauntlet, 6, 4, 4), example(Comparison, 2, 4, 4), example(Comparison, 4, 6, 6),
	} {
		s := NewSchedule(p)
		seeds := map[uint64]bool{}
		for block := range s.Blocks() {
			first := s.Match(block * p.Seats)
			had := map[[2]int]int{}
			for k := block * p.Seats; k < (block+1)*p.Seats; k++ {
				m := s.Match(k)
				if m.K != k || m.Block != block || m.Seed != first.Seed || m.Map != first.Map ||
					!slices.Equal(m.Places, first.Places) {
					t.Fatalf("%s: match %d is %+v, the first of its block %+v", p.Format, k, m, first)
				}
				for seat, bot := range m.Bots {
					had[[2]int{bot, seat}]++
				}
			}
			for pair, n := range had {
				if want := count(first.Bots, pair[0]); n != want {
					t.Fatalf("%s: in block %d, bot %d has seat %d %d times, want %d", p.Format, block, pair[0],
						pair[1], n, want)
				}
			}
			if seeds[first.Seed] || first.Seed > maxSeed {
				t.Fatalf("%s: block %d has the seed %d", p.Format, block, first.Seed)
			}
			seeds[first.Seed] = true
		}
	}
}

func count(list []int, n int) (times int) {
	for _, v := range list {
		if v == n {
			times++
		}
	}
	return times
}

// A count of matches is rounded up to whole blocks, a hero plays in each match, and a comparison
// has the new version once.
func TestTables(t *testing.T) {
	p := example(RoundRobin, 4, 4, 4)
	for count, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 1000: 250} {
		p.Count = count
		if got := NewSchedule(p).Blocks(); got != want {
			t.Errorf("%d matches of 4 seats are %d blocks, want %d", count, got, want)
		}
	}
	hero := NewSchedule(example(Gauntlet, 6, 3, 3))
	plain := NewSchedule(example(Comparison, 2, 4, 4))
	filled := NewSchedule(example(Comparison, 4, 6, 6))
	for k := range 600 {
		if bots := hero.Match(k).Bots; count(bots, 0) != 1 {
			t.Fatalf("match %d of a gauntlet has bots %v", k, bots)
		}
		if bots := plain.Match(k).Bots; count(bots, 1) != 1 || count(bots, 0) != 3 {
			t.Fatalf("match %d of a comparison has bots %v", k, bots)
		}
		if bots := filled.Match(k).Bots; count(bots, 1) != 1 || count(bots, 0) != 1 ||
			count(bots, 2) != 2 || count(bots, 3) != 2 {
			t.Fatalf("match %d of a comparison with two others has bots %v", k, bots)
		}
	}
}

// Over many blocks all bots meet on all maps and in all places equally often.
func TestMapsAndPlaces(t *testing.T) {
	p := example(RoundRobin, 3, 2, 2, 4)
	p.Count = 2 * 3 * 2 * 12 // each pair on each map twelve times
	s := NewSchedule(p)
	onMap, inPlaces := map[string]int{}, map[string]int{}
	for b := range s.Blocks() {
		m := s.Match(b * p.Seats)
		pair := fmt.Sprint(slices.Sorted(slices.Values(m.Bots)))
		onMap[fmt.Sprint(pair, m.Map)]++
		if m.Map == 1 {
			inPlaces[fmt.Sprint(slices.Sorted(slices.Values(m.Places)))]++
		}
	}
	for key, n := range onMap {
		if n != 12 {
			t.Errorf("bots and map %s: %d blocks, want 12", key, n)
		}
	}
	if len(onMap) != 6 || len(inPlaces) != 6 {
		t.Errorf("there are %d pairs on maps and %d pairs of places, want 6 each", len(onMap),
			len(inPlaces))
	}
	for key, n := range inPlaces {
		if n != 6 {
			t.Errorf("places %s: %d blocks, want 6", key, n)
		}
	}
}

// On a large map each place is used equally often, and no two seats have the same one.
func TestManyPlaces(t *testing.T) {
	used := make([]int, 1000)
	for _, choice := range placesOf(len(used), 6) {
		if n := len(slices.Compact(slices.Sorted(slices.Values(choice)))); n != 6 {
			t.Fatalf("the places are %v, want six", choice)
		}
		for _, place := range choice {
			used[place]++
		}
	}
	if slices.Min(used) != 6 || slices.Max(used) != 6 {
		t.Errorf("places are used %d to %d times, want 6", slices.Min(used), slices.Max(used))
	}
}

// Matches and seeds are the same forever: the golden values are those of the first version.
func TestMatchesStayTheSame(t *testing.T) {
	s := NewSchedule(example(RoundRobin, 5, 4, 6))
	var text []string
	for _, k := range []int{0, 1, 999_999} {
		m := s.Match(k)
		text = append(text, fmt.Sprint(m.Block, m.Map, m.Seed, m.Bots, m.Places, s.BotSeed(k, 3)))
	}
	if got := strings.Join(text, "\n"); got != golden {
		t.Errorf("the matches are\n%s\nwant\n%s", got, golden)
	}
	round := s.Round(8, 3, []int{4, 2, 0, 1})
	if round.Block != 2 || !slices.Equal(slices.Sorted(slices.Values(round.Bots)), []int{0, 1, 2, 4}) {
		t.Errorf("match 8 of an adaptive format is %+v", round)
	}
}

const golden = `0 0 6384314058625357 [1 2 0 3] [0 1 2 3] 4920075268868187
0 0 6384314058625357 [3 1 2 0] [0 1 2 3] 8236671789761305
249999 0 5305931117296616 [2 3 4 1] [0 2 4 5] 1524318954125750`

// A difference names what differs, and equal plans have none.
func TestDifference(t *testing.T) {
	a, b := example(RoundRobin, 3, 2, 2, 4), example(RoundRobin, 3, 2, 2, 4)
	if got := Difference(a, b); len(got) > 0 {
		t.Errorf("equal plans differ in %q", got)
	}
	b.Bots = b.Bots[:2]
	b.Seed, b.Maps[1].Name = 8, "another"
	b.Settings = []Setting{{"turns", "50"}}
	want := []string{
		"bots 3 name was bot 2 and is nothing", "maps 2 name was map 1 and is another",
		"seed was 7 and is 8", "turns was 100 and is 50",
	}
	if got := Difference(a, b); !slices.Equal(got, want) {
		t.Errorf("the plans differ in %q, want %q", got, want)
	}
	// the question of a comparison is part of its format, and has the names of flags
	a, b = example(Comparison, 2, 2, 2, 4), example(RoundRobin, 2, 2, 2, 4)
	a.Test, b.Test = &sprt.Hypotheses{NElo1: 30, Alpha: 0.05, Beta: 0.05}, nil
	want = []string{"format was sprt and is round-robin"}
	if got := Difference(a, b); !slices.Equal(got, want) {
		t.Errorf("the plans differ in %q, want %q", got, want)
	}
	b.Format, b.Test = Comparison, &sprt.Hypotheses{NElo1: 20, Alpha: 0.05, Beta: 0.05}
	want = []string{"--elo1 was 30 and is 20"}
	if got := Difference(a, b); !slices.Equal(got, want) {
		t.Errorf("the plans differ in %q, want %q", got, want)
	}
}

// With given seeds each table plays on each map with each of them, and nothing but the bots differs
// from plan to plan.
func TestGivenSeeds(t *testing.T) {
	for _, p := range []*Plan{example(Gauntlet, 4, 2, 3, 4), example(Gauntlet, 5, 3, 3), example(RoundRobin, 4, 2, 2, 2)} {
		p.Seeds = []uint64{3, 1, 4}
		s := NewSchedule(p)
		p.Count = s.Cycle() * p.Seats
		s = NewSchedule(p)
		if err := p.Check(); err != nil || s.Blocks() != s.Cycle() {
			t.Fatalf("%s: %d blocks of %d, %v", p.Format, s.Blocks(), s.Cycle(), err)
		}
		other := *p
		other.Bots = slices.Clone(p.Bots)
		other.Bots[0].Digest[0]++
		same := NewSchedule(&other)
		had := map[string]int{}
		for k := range p.Count {
			m, n := s.Match(k), same.Match(k)
			if fmt.Sprint(m, s.BotSeed(k, 1)) != fmt.Sprint(n, same.BotSeed(k, 1)) {
				t.Fatalf("%s: match %d is %+v, and of another bot %+v", p.Format, k, m, n)
			}
			had[fmt.Sprint(slices.Sorted(slices.Values(m.Bots)), m.Map, m.Seed)]++
		}
		for table, n := range had {
			if n != p.Seats {
				t.Errorf("%s: %s is played %d times", p.Format, table, n)
			}
		}
		if len(had) != s.Cycle() {
			t.Errorf("%s: %d tables, maps and seeds, want %d", p.Format, len(had), s.Cycle())
		}
	}
	bad := example(Swiss, 4, 2, 2)
	bad.Seeds = []uint64{1 << 60}
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "draws its own") ||
		!strings.Contains(err.Error(), "too large") {
		t.Errorf("Check() = %v", err)
	}
}

// The commit of a bot is in the plan, but decides nothing: with the same files it is the same
// contest.
func TestCommit(t *testing.T) {
	p := Plan{Bots: []Bot{{Name: "a", Digest: Digest{1}}, {Name: "b"}}}
	q := p
	q.Bots = slices.Clone(p.Bots)
	q.Bots[0].Commit = "1a2b3c"
	if p.Digest() != q.Digest() || len(Difference(&p, &q)) > 0 || q.Bots[0].Commit == "" {
		t.Errorf("the plans differ: %q", Difference(&p, &q))
	}
	if text, err := json.Marshal(&q); err != nil ||
		!strings.Contains(string(text), `"commit":"1a2b3c"`) {
		t.Errorf("the plan is %s, %v", text, err)
	}
}
