package standings

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// Table is the standings after some matches. Lists are in the order of Bots. Scores are shares of
// the opponents that were beaten, with ties as half, from 0 to 1. The JSON has these keys.
type Table struct {
	Format  plan.Format `json:"format"`
	Game    string      `json:"game"`
	Seats   int         `json:"seats"`
	Matches int         `json:"matches"`
	Planned int         `json:"planned"` // matches; 0 means no limit
	// Blocks are the complete ones, which Elo counts. Matches of others count in all else.
	Blocks int `json:"blocks"`
	// Answer is the result as one sentence; empty if more than two bots are compared and the contest
	// asks nothing.
	Answer string `json:"answer,omitempty"`
	// Compares is one sentence: what Elo compares with what.
	Compares    string       `json:"compares"`
	Bots        []Bot        `json:"bots"`                  // the best first
	Comparisons []Comparison `json:"comparisons,omitempty"` // of a gauntlet, a comparison or two bots
	Test        *Test        `json:"test,omitempty"`        // of a comparison
	// of a contest that goes on until its leader is certain
	Until    *Until       `json:"until,omitempty"`
	Groups   []Group      `json:"groups,omitempty"` // in the order in which they were drawn
	Meetings []Meeting    `json:"meetings"`         // of bots that have met
	ByMap    []MapScore   `json:"by_map"`
	BySeat   []SeatScore  `json:"by_seat"`
	Errors   []ErrorGroup `json:"errors"` // the most frequent first
	Lag      *Lag         `json:"lag,omitempty"`
	Origin
}

// Bot is a line of the standings.
type Bot struct {
	Rank    int    `json:"rank"` // from 1, ties share one
	Name    string `json:"bot"`
	Matches int    `json:"matches"`
	// that it had in them: the old version of a comparison may have several
	Seats   int  `json:"seats"`
	Missing bool `json:"missing,omitempty"` // it was there in none of its matches
	// Points of a Swiss contest, with what decides among bots that have as many; nil in other
	// formats.
	Points *Points `json:"points,omitempty"`
	Score  float64 `json:"score"`
	// Elo is the strength above the mean of all bots. It is nil if the format compares only some of
	// them, or nothing can be said yet.
	Elo *Interval `json:"elo,omitempty"`
	// Bound is "at least" if the bot has won all its matches against those whose mean is 0, and "at
	// most" if it has lost all: no strength is too large or too small for such results, so that Elo
	// is the only end of its interval.
	Bound    string         `json:"bound,omitempty"`
	Forfeits map[string]int `json:"forfeits"`        // matches by kind, such as "crash"
	Refused  int64          `json:"refused_actions"` // by the game, in all its seats
	// that it had to answer in all its seats, as far as that is known
	Turns   int  `json:"turns"`
	Skipped int  `json:"skipped"`       // of these, that ended before it had answered
	CPU     *CPU `json:"cpu,omitempty"` // nil: it is not known
}

// The values of Bound.
const (
	AtLeast = "at least"
	AtMost  = "at most"
)

// Between returns the interval of a bot that has one, as text, with each end as points has it.
func (b *Bot) Between(points func(elo float64) string) string {
	switch {
	case b.Bound != "":
		return boundText(b.Bound)
	case b.Elo.High == nil:
		return points(*b.Elo.Low) + " " + boundText(AtLeast)
	case b.Elo.Low == nil:
		return points(*b.Elo.High) + " " + boundText(AtMost)
	}
	return points(*b.Elo.Low) + " to " + points(*b.Elo.High)
}

func boundText(bound string) string {
	if bound == AtLeast {
		return "or more"
	}
	return "or less"
}

// Interval is an estimate with the interval that contains the truth with a confidence of 95 %. An
// end that results do not bound is nil.
type Interval struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// newInterval returns what is shown of a level; nil if it has no end.
func newInterval(l rating.Level) *Interval {
	end := func(elo float64) *float64 {
		if math.IsInf(elo, 0) {
			return nil
		}
		elo = points(elo)
		return &elo
	}
	i := &Interval{points(l.Elo), end(l.Low), end(l.High)}
	if i.Low == nil && i.High == nil {
		return nil
	}
	return i
}

// Meeting is how a bot did against another one, over all pairs of their seats in one match.
type Meeting struct {
	Bot     string  `json:"bot"`
	Against string  `json:"against"`
	Wins    int     `json:"wins"`
	Ties    int     `json:"ties"`
	Losses  int     `json:"losses"`
	Score   float64 `json:"score"`
}

// MapScore is what a bot scored on a map.
type MapScore struct {
	Bot   string  `json:"bot"`
	Map   string  `json:"map"`
	Seats int     `json:"seats"` // that the bot had
	Score float64 `json:"score"`
}

// SeatScore is what a bot scored in a seat.
type SeatScore struct {
	Bot     string  `json:"bot"`
	Seat    int     `json:"seat"` // from 1
	Matches int     `json:"matches"`
	Score   float64 `json:"score"`
}

// confidence is that of intervals.
const confidence = 0.95

// Table returns the standings. In a table that compares all bots, intervals come from this many
// samples of a bootstrap: [rating.TableResamples] in one that is final.
//
// A thousand samples take 5 ms for 4 bots and 250 blocks, and some 50 ms for any number of blocks;
// for 40 bots at tables of four 0.3 s after 4 000 matches and 4 s after 100 000, in which places
// were decided among 45 000 distinct sets of bots. Other figures take no time. So while a cup is
// played, take fewer.
func (s *Standings) Table(resamples int) *Table {
	t := &Table{
		Format: s.plan.Format, Game: s.plan.Game, Seats: s.plan.Seats, Matches: s.matches,
		Planned: s.plan.Matches(), Blocks: s.blocks.Len(),
	}
	hero := s.hero()
	var fit *rating.Table
	if hero < 0 || s.plan.Format == plan.Swiss {
		fit = s.fit(resamples)
	}
	better := s.better(fit)
	t.Until = s.until(fit, resamples)
	if hero >= 0 {
		fit = nil // the comparison has the estimates
	}
	order := s.order(better)
	t.Compares = s.sentence(hero, fit)
	var swiss *swiss
	if s.plan.Format == plan.Swiss {
		swiss = s.swiss()
	}
	for place, bot := range order {
		line := s.bot(bot, fit)
		if swiss != nil {
			line.Points = swiss.shown(s, bot)
		}
		line.Rank = place + 1
		if place > 0 && better(order[place-1], bot) == 0 {
			line.Rank = t.Bots[place-1].Rank
		}
		t.Bots = append(t.Bots, line)
	}
	if hero >= 0 {
		s.compare(t, hero,
			slices.DeleteFunc(slices.Clone(order), func(bot int) bool { return bot == hero }))
	}
	t.Answer = s.answer(t)
	s.addMeetings(t, order)
	s.addParts(t, order)
	t.Groups, t.Errors, t.Lag = s.listGroups(), s.errors.list(), s.lags.lag()
	t.Origin = s.Origin
	t.Plan = s.plan.Digest().String()
	return t
}

// WriteJSON writes the table as one indented JSON object.
func (t *Table) WriteJSON(w io.Writer) error {
	return textutil.WriteJSON(w, t)
}

// hero returns the bot that others are compared with, or -1 if all are compared.
func (s *Standings) hero() int {
	switch {
	case s.plan.Format == plan.Comparison:
		return 1
	case s.plan.Format == plan.Gauntlet, len(s.totals) == 2:
		return 0
	}
	return -1
}

// bot returns the line of a bot.
func (s *Standings) bot(bot int, fit *rating.Table) Bot {
	total := &s.totals[bot]
	line := Bot{
		Name: s.plan.Bots[bot].Name, Matches: total.Matches, Seats: total.All.Seats,
		Missing: s.Missing(bot), Score: share(s.mean(total.All)),
		Forfeits: map[string]int{}, Refused: total.Refused, CPU: s.costs[bot].cpu(),
		Turns: s.costs[bot].Answered + s.costs[bot].Skipped, Skipped: s.costs[bot].Skipped,
	}
	for kind, n := range total.Forfeits {
		line.Forfeits[kind] = n
	}
	if fit == nil || line.Missing {
		return line
	}
	if level, ok := fit.Level(bot, confidence); ok {
		line.Elo = newInterval(level)
		switch {
		case slices.Contains(fit.Among(), bot):
		case math.IsInf(level.High, 1):
			line.Bound = AtLeast
		default:
			line.Bound = AtMost
		}
	}
	return line
}

// mean returns the mean score of some seats, or ½ without seats.
func (s *Standings) mean(p part) float64 {
	if p.Seats == 0 {
		return 0.5
	}
	return float64(p.Halves) / float64(score.Most(s.plan.Seats, p.Seats))
}

// addMeetings adds the cross-table.
func (s *Standings) addMeetings(t *Table, order []int) {
	t.Meetings = []Meeting{}
	for _, bot := range order {
		for _, other := range order {
			m := s.meets[bot*len(s.totals)+other]
			if n := m.Wins + m.Ties + m.Losses; n > 0 {
				t.Meetings = append(t.Meetings, Meeting{
					Bot: s.plan.Bots[bot].Name, Against: s.plan.Bots[other].Name, Wins: m.Wins, Ties: m.Ties,
					Losses: m.Losses,
					Score:  share(float64(2*m.Wins+m.Ties) / float64(2*n)),
				})
			}
		}
	}
}

// addParts adds the scores on each map and in each seat.
func (s *Standings) addParts(t *Table, order []int) {
	t.ByMap, t.BySeat = []MapScore{}, []SeatScore{}
	for _, bot := range order {
		name, total := s.plan.Bots[bot].Name, &s.totals[bot]
		for i, p := range total.Maps {
			if p.Seats > 0 {
				t.ByMap = append(t.ByMap, MapScore{name, s.plan.Maps[i].Name, p.Seats, share(s.mean(p))})
			}
		}
		for i, p := range total.Seats {
			if p.Seats > 0 {
				t.BySeat = append(t.BySeat, SeatScore{name, i + 1, p.Seats, share(s.mean(p))})
			}
		}
	}
}

// mostNamed is the number of bots a sentence names.
const mostNamed = 5

// zero returns what Elo is measured from.
func (s *Standings) zero(fit *rating.Table) string {
	var names []string
	for _, bot := range fit.Among() {
		names = append(names, s.plan.Bots[bot].Name)
	}
	switch n := len(names); {
	case s.blocks.Len() == 0 || n == len(s.plan.Bots):
		return fmt.Sprintf("the mean of these %d bots, with its 95 %% interval", len(s.plan.Bots))
	case n == 1:
		return names[0] + "; bots that have won or lost all their matches against it have a bound"
	case n > mostNamed:
		return fmt.Sprintf("the mean of %d of these %d bots, with its 95 %% interval; the others have "+
			"won or lost all their matches against these, and have a bound", n, len(s.plan.Bots))
	default:
		return fmt.Sprintf("the mean of %s and %s, with its 95 %% interval; bots that have won or lost "+
			"all their matches against these have a bound", strings.Join(names[:n-1], ", "), names[n-1])
	}
}

// sentence returns what Elo compares.
func (s *Standings) sentence(hero int, fit *rating.Table) string {
	names := make([]string, len(s.plan.Bots))
	for i := range names {
		names[i] = s.plan.Bots[i].Name
	}
	switch {
	case hero < 0:
		text := "Elo is how much a bot is above " + s.zero(fit)
		halfOpen := func(bot int) bool {
			level, ok := fit.Level(bot, confidence)
			return ok && math.IsInf(level.Low, -1) != math.IsInf(level.High, 1)
		}
		if slices.ContainsFunc(fit.Among(), halfOpen) {
			text += "; with so few blocks some intervals have only one end"
		}
		switch s.plan.Format {
		case plan.Swiss:
			text += "; " + swissSentence
		case plan.KnockOut, plan.Groups:
			text += "; the order is how far each came"
		}
		return text + "."
	case s.plan.Format == plan.Gauntlet && len(names) > 2:
		return fmt.Sprintf("Each line of the comparison says how much %s is above that bot; the others "+
			"are not compared with each other.", names[hero])
	case len(names) == 2:
		text := fmt.Sprintf("Elo is how much %s is above %s", names[hero], names[1-hero])
		if s.plan.Format == plan.Swiss {
			text += "; " + swissSentence
		}
		return text + "."
	}
	return fmt.Sprintf(
		"Elo is how much %s is above %s when each plays one seat and the other bots the rest.",
		names[hero], names[0])
}

// points and share round what is printed, so that it does not show digits that say nothing: to a
// hundredth of a point, and to a hundredth of a per cent.
func points(x float64) float64 { return math.Round(x*100) / 100 }

func share(x float64) float64 { return math.Round(x*10_000) / 10_000 }
