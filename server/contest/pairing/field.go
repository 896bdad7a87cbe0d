package pairing

// Field is the teams of an event that plays rounds: teams join, sleep and return, and each round
// is played by those that are ready. It counts what they have played; [Field.Round] pairs
// them.
type Field struct {
	teams []fieldTeam
	pairs [][]fieldPair // of a team and each team before it
	floor int           // the least level of those that were ready in the last round
}

// fieldTeam is what a Field knows of a team.
type fieldTeam struct {
	level int         // its games, and those that it is not to catch up with
	seats map[int]int // its games in each seat
}

// fieldPair is what a Field knows of two teams.
type fieldPair struct {
	meetings int
	expected int64 // meetings, in parts of [meeting], in the rounds that both were ready in
}

// meeting is one meeting in the unit in which expected meetings are counted. Rounding a rate to
// 2⁻²⁰ adds up to less than a thousandth of a meeting in a thousand rounds.
const meeting = 1 << 20

// NewField returns a field without teams.
func NewField() *Field { return new(Field) }

// AddTeam adds a team, and returns its number: 0 for the first one.
func (f *Field) AddTeam() int {
	f.teams = append(f.teams, fieldTeam{seats: map[int]int{}})
	f.pairs = append(f.pairs, make([]fieldPair, len(f.pairs)))
	return len(f.teams) - 1
}

// Meetings returns the number of matches in which two different teams met.
func (f *Field) Meetings(a, b int) int { return f.pair(a, b).meetings }

func (f *Field) pair(a, b int) *fieldPair { return &f.pairs[max(a, b)][min(a, b)] }

// Expected returns how often two different teams would have met if all that were ready in a round
// had met with equal probability.
func (f *Field) Expected(a, b int) float64 { return float64(f.pair(a, b).expected) / meeting }

// Level returns the games of a team by which [Field.Round] decides which team rests: those that it
// has played and, after rounds in which it was not ready, as many more as bring it up to the team
// that was ready and has played least.
func (f *Field) Level(team int) int { return f.teams[team].level }

// Add counts a round: its matches, and the teams without one that were ready.
func (f *Field) Add(matches [][]int, resting []int) {
	ready := append([]int(nil), resting...)
	together := 0
	for _, match := range matches {
		ready = append(ready, match...)
		together += len(match) * (len(match) - 1) / 2
	}
	for _, a := range ready {
		f.teams[a].level = f.levelIn(a)
	}
	rate := int64(0) // of meetings of two teams in this round
	if n := len(ready); n > 1 {
		rate = int64(together) * meeting / int64(n*(n-1)/2)
	}
	for i, a := range ready {
		for _, b := range ready[:i] {
			f.pair(a, b).expected += rate
		}
	}
	for _, match := range matches {
		for seat, a := range match {
			f.teams[a].level++
			f.teams[a].seats[seat]++
			for _, b := range match[:seat] {
				f.pair(a, b).meetings++
			}
		}
	}
	for i, a := range ready {
		if level := f.teams[a].level; i == 0 || level < f.floor {
			f.floor = level
		}
	}
}

// levelIn returns a team's level in the next round: it is not below the others'.
func (f *Field) levelIn(team int) int { return max(f.teams[team].level, f.floor) }

// fieldStarts is the factor by which a search starts more often than usual: where matches differ in
// size, or teams come and go, divisions are good that are rare, and a round has time.
const fieldStarts = 2

// FieldRules say how a round is paired.
type FieldRules struct {
	Seats int  // of a match; 2 or more
	Near  bool // teams of near ratings meet more often, within bounds
}

// Round returns the matches of a round of the teams that are ready, and those that rest. The caller
// fills matches with fewer teams than seats with players that are not of the field; the sizes of
// matches differ by at most one. All play, except that a match of two seats needs two teams, so
// that one of an odd number rests: the one with the highest level. In this order Round wants: that
// all play equally often; that all meet equally often, measured by the rounds that both were ready
// in; that teams of near rating meet; that all have each seat equally often. With Near the second
// and the third wish change their places, as long as the meetings do not differ much. It does not
// ask how certain a rating is: else a bot that crashes would play most.
//
// Ratings holds a rating for each team of the field, or is nil. Fewer than two ready teams have no
// match.
func (f *Field) Round(
	ready []int, ratings []float64, r FieldRules,
) (matches [][]int, resting []int) {
	if len(ready) < 2 {
		return nil, ready
	}
	matches, resting = divideInto(ready, fieldSizes(len(ready), r.Seats),
		fieldStarts*usualStarts(len(ready)), f.costs(ready, ratings, r))
	for _, match := range matches {
		rotate(match, func(team, seat int) int { return f.teams[team].seats[seat] })
	}
	return matches, resting
}

// fieldSizes returns the sizes of the matches of a round, the largest first.
func fieldSizes(teams, seats int) []int {
	if seats == 2 {
		teams -= teams % 2
	}
	sizes := make([]int, (teams+seats-1)/seats)
	for i := range sizes {
		sizes[i] = (teams + len(sizes) - 1 - i) / len(sizes)
	}
	return sizes
}

// costs returns what divisions of the ready teams cost. Each wish outweighs the sum of all costs of
// those after it: a pair's distance of ratings is below the number of teams, and there are fewer
// than teams × seats pairs. With Near the distance counts as much as nearSurplus meetings too many,
// at most.
func (f *Field) costs(ready []int, ratings []float64, r FieldRules) costs {
	place := places(ready, ratings)
	n := int64(len(ready))
	pairs := n * int64(r.Seats)
	weight, nearness := pairs*n, int64(1)
	if r.Near {
		weight, nearness = 1, surplusCost(nearSurplus)/n
	}
	most := 0
	for _, a := range ready {
		most = max(most, f.levelIn(a))
	}
	rest := pairs * weight * surplusCost(maxSurplus)
	return costs{
		together: func(a, b int) int64 {
			p := f.pair(a, b)
			distance := int64(max(place[a]-place[b], place[b]-place[a]))
			return weight*surplusCost(int64(p.meetings)*meeting-p.expected) + nearness*distance
		},
		resting: func(team int) int64 { return rest * int64(min(most-f.levelIn(team), maxGames)) },
	}
}

const (
	// nearSurplus is the number of meetings too many that count as much as the ratings of the first
	// and the last team. With
	// 1.25, the meetings of 60 teams differ by up to 4 after 200 rounds.
	nearSurplus = 5 * meeting / 4
	// maxSurplus bounds differences in meetings, so that all costs of up to 500 teams fit into an
	// integer.
	maxSurplus = 64 * meeting
	// lackSlack is the number of meetings too few that count as little as none too many. With 0 the
	// search takes pairs with too many meetings to get one that has too few, and meetings differ by 3
	// after 200 rounds of 60 teams with four seats; with 1 they do so where teams come and go.
	lackSlack = 6 * meeting / 10
)

// surplusCost returns what one more meeting of two teams costs that have met this much more often
// than expected, in parts of [meeting]. It is negative if they have met less often.
func surplusCost(surplus int64) int64 {
	if surplus < 0 {
		return growth(-lackSlack) - growth(-surplus-lackSlack)
	}
	return growth(surplus) - growth(0)
}

// growth returns 64 × 8ⁿ for n meetings, so that the search prefers several pairs with one meeting
// too many to one pair with two. From 4 on, where no division is good, it grows like a square.
func growth(n int64) int64 {
	n = min(n, maxSurplus)
	if n >= 4*meeting {
		d := n / (meeting / 16)
		return d * d << 6 // 64 × 8⁴ at 4
	}
	n += meeting // 8¹ more, as shifts are not negative
	octave, part := 3*n/meeting, 3*n%meeting
	return (meeting + part) << octave >> 17 // 2^octave, linear in between
}
