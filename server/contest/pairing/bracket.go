package pairing

// Groups divides teams, which are in the order of their seeds, into this many groups, so that their
// sizes differ by at most one, and their strengths little: the first row of seeds goes to the
// groups forwards, the next one backwards.
func Groups(teams []int, groups int) [][]int {
	list := make([][]int, groups)
	for i, team := range teams {
		row, g := i/groups, i%groups
		if row%2 == 1 {
			g = groups - 1 - g
		}
		list[g] = append(list[g], team)
	}
	return list
}

// Bracket is a knock-out: in each round the better half of each table goes on, and the winners of
// neighbouring tables meet, until one table is left, the final.
type Bracket struct {
	tables   [][]int
	advance  int // teams of a table that go on
	together int // tables whose winners make the next table
}

// NewBracket returns a bracket for teams in the order of their seeds, with tables of up to this
// many seats. The best seeds meet as late as possible, and where the teams do not fill all tables,
// theirs are the smaller ones: a table whose teams all go on is not played.
func NewBracket(teams []int, seats int) *Bracket {
	b := &Bracket{advance: Advance(seats), together: seats}
	if seats%2 == 0 {
		b.together = 2
	}
	rounds := 1
	for size := seats; size < len(teams); size *= b.together {
		rounds++
	}
	b.tables = b.split(teams, rounds)
	return b
}

// Advance returns how many teams of a table go on: half, with an odd number of seats one.
func Advance(seats int) int {
	if seats%2 == 0 {
		return seats / 2
	}
	return 1
}

// Rounds returns how many tables are played in each round of a bracket for this many teams.
func Rounds(teams, seats int) (tables []int) {
	for b := NewBracket(numbered(teams), seats); ; b.Next(b.tables) {
		played := 0
		for i := range b.tables {
			if b.Played(i) {
				played++
			}
		}
		if tables = append(tables, played); b.Final() {
			return tables
		}
	}
}

// split divides teams into the tables of a bracket with this many rounds.
func (b *Bracket) split(teams []int, rounds int) [][]int {
	if rounds == 1 {
		return [][]int{teams}
	}
	var tables [][]int
	for _, part := range Groups(teams, b.together) {
		tables = append(tables, b.split(part, rounds-1)...)
	}
	return tables
}

// Tables returns the tables of the round.
func (b *Bracket) Tables() [][]int { return b.tables }

// Played reports whether a table of the round has to be played: whether not all its teams go on.
// The final has.
func (b *Bracket) Played(table int) bool {
	return len(b.tables[table]) > b.advance || b.Final() && len(b.tables[table]) > 1
}

// Final reports whether the round is the last one.
func (b *Bracket) Final() bool { return len(b.tables) == 1 }

// Next goes to the next round. Standings has the teams of each table from the best to the last;
// those of a table that was not played can be as they were. After the final it changes nothing.
func (b *Bracket) Next(standings [][]int) {
	if b.Final() {
		return
	}
	var next [][]int
	for i, standing := range standings {
		if i%b.together == 0 {
			next = append(next, nil)
		}
		last := len(next) - 1
		next[last] = append(next[last], standing[:min(b.advance, len(standing))]...)
	}
	b.tables = next
}
