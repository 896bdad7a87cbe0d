package state

import (
	"cmp"
	"math"
	"slices"

	"github.com/hexarena/hexarena/server/contest/rating"
)

// Official is the standings by the matches since versions are frozen.
type Official struct {
	Frozen  bool            `json:"frozen"`
	Matches int             `json:"matches"`
	Certain bool            `json:"certain"` // the first three are, with officialConfidence
	Left    *int            `json:"left"`    // matches until then; nil: not known, or above maxLeft
	Teams   []OfficialPlace `json:"teams"`
}

// OfficialPlace is a team's place.
type OfficialPlace struct {
	Rank     int      `json:"rank"` // from 1; equal teams share one; 0: without an official match
	Team     int      `json:"team"`
	Name     string   `json:"name"`
	Matches  int      `json:"matches"`
	Elo      float64  `json:"elo"` // above the mean of the teams that results connect
	Low      *float64 `json:"low"` // ends of its interval; nil: not known, or not bounded
	High     *float64 `json:"high"`
	Verified bool     `json:"verified"` // its version has a digest, so that changes are noticed
	removed  bool
}

const (
	// officialConfidence is that of the intervals, and of the first three places together.
	officialConfidence = 0.95
	// officialPlaces is the number of places that are to be certain: those that get prizes.
	officialPlaces = 3
	// officialResamples is fewer than tables of cups have, since the standings follow each match: a
	// second for 40 teams after 2 000 matches. An end of an interval has a standard deviation of 4
	// % of its width.
	officialResamples = 300
	// equalElo is the difference of Elo points below which teams are equal: the fit of equal
	// results ends with less, and pages show tenths.
	equalElo = 1e-3
	// maxLeft is the largest estimate that is shown: two teams that are nearly equal take longer
	// than any event lasts.
	maxLeft = 10_000
)

// OfficialKey identifies official standings: those of equal keys are equal.
type OfficialKey struct{ first, match, acts int }

// OfficialKey returns the key of the official standings by the matches before one.
func (s *State) OfficialKey(match int) OfficialKey {
	key := OfficialKey{-1, match, s.acts}
	if s.Versions.frozen != nil {
		key.first = s.Versions.frozen.first
	}
	return key
}

// OfficialResults are the results that official standings follow from.
type OfficialResults struct {
	standings *Official
	blocks    []rating.Block
	resamples int
}

// Official returns the results that the official standings by the matches before one follow from.
func (s *State) Official(match int) *OfficialResults {
	o, blocks := s.officialBlocks(match)
	r := &OfficialResults{o, blocks, officialResamples}
	if match < len(s.Results.rows) {
		r.resamples = 0 // nothing shows the intervals of the past
	}
	return r
}

// Fit returns the official standings. It takes up to a second.
func (r *OfficialResults) Fit() *Official {
	r.standings.fit(r.blocks, r.resamples)
	return r.standings
}

// officialBlocks returns the official standings without ratings, and the results before a match
// that they follow from.
func (s *State) officialBlocks(match int) (*Official, []rating.Block) {
	o := &Official{Frozen: s.Versions.frozen != nil, Teams: []OfficialPlace{}}
	for _, t := range s.Teams.list {
		p := OfficialPlace{Team: t.Number, Name: t.Name, removed: t.Removed}
		p.Verified = o.Frozen && s.Versions.frozen.versions[t.Number] != ""
		o.Teams = append(o.Teams, p)
	}
	if !o.Frozen {
		return o, nil
	}
	var blocks []rating.Block
	for _, row := range s.Results.rows[s.Versions.frozen.first:] {
		if row.K >= match || !s.Results.counts(row.K) {
			continue
		}
		var r rating.Result
		for seat, nick := range row.Bots {
			t := s.Teams.byNick[nick]
			if t == nil || seat >= len(row.Versions) {
				continue // a built-in bot
			}
			frozen := s.Versions.frozen.versions[t.Number]
			if frozen != "" && row.Versions[seat] != frozen {
				continue // another version
			}
			r.Bots, r.Ranks = append(r.Bots, t.Number), append(r.Ranks, row.Ranks[seat])
			o.Teams[t.Number].Matches++
		}
		if len(r.Bots) > 1 {
			o.Matches++
			blocks = append(blocks, rating.Block{r})
		}
	}
	return o, blocks
}

// fit completes the standings by results.
func (o *Official) fit(blocks []rating.Block, resamples int) {
	if len(blocks) > 0 {
		options := rating.Options{VirtualDraws: rating.TableDraws, Resamples: resamples}
		table := rating.Fit(len(o.Teams), blocks, options)
		for i := range o.Teams {
			p := &o.Teams[i]
			p.Elo = table.Elo(p.Team) - table.Zero()
			if level, ok := table.Level(p.Team, officialConfidence); ok {
				p.Low, p.High = finite(level.Low), finite(level.High)
			}
		}
		o.sort()
		o.estimate(table)
		return
	}
	o.sort()
}

// sort orders the teams that have played by their ratings, and those that have not after them. It
// leaves those out that were removed, whose results count for the others.
func (o *Official) sort() {
	o.Teams = slices.DeleteFunc(o.Teams, func(p OfficialPlace) bool { return p.removed })
	slices.SortStableFunc(o.Teams, func(a, b OfficialPlace) int {
		played := cmp.Compare(min(b.Matches, 1), min(a.Matches, 1))
		return cmp.Or(played, cmp.Compare(b.Elo, a.Elo))
	})
	for i := range o.Teams {
		p := &o.Teams[i]
		switch {
		case p.Matches == 0:
		case i > 0 && math.Abs(p.Elo-o.Teams[i-1].Elo) < equalElo:
			p.Rank = o.Teams[i-1].Rank
		default:
			p.Rank = i + 1
		}
	}
}

// finite returns an end of an interval; nil if it is infinite.
func finite(end float64) *float64 {
	if math.IsInf(end, 0) {
		return nil
	}
	return &end
}

// estimate sets how many matches are left until each of the first places is certain to be above the
// next one: an interval narrows with the square root of the matches. Nothing can be said of teams
// whose results do not vary.
func (o *Official) estimate(table *rating.Table) {
	places := min(officialPlaces, len(o.Teams)-1)
	probability := (1 - officialConfidence) / float64(max(places, 1))
	more := 1.0
	for i := range places {
		a, b := &o.Teams[i], &o.Teams[i+1]
		if a.Matches == 0 || b.Matches == 0 {
			return // nothing is known of one
		}
		if !table.Intervals(a.Team) || !table.Intervals(b.Team) {
			return
		}
		if table.Above(a.Team, b.Team, probability) {
			continue
		}
		elo, low, high := table.Difference(a.Team, b.Team, 1-probability)
		half := (high - low) / 2
		if half == 0 || math.IsInf(half, 0) {
			return
		}
		needed := half / max(elo, 0.01)
		more = max(more, needed*needed, 1+1/float64(o.Matches))
	}
	left := math.Ceil(float64(o.Matches) * (more - 1))
	if o.Certain = places > 0 && more == 1; left <= maxLeft {
		n := int(left)
		o.Left = &n
	}
}
