// Package plan says what a contest plays: which bots, in which format, on which maps. Every match
// follows from the plan's digest and the match's number, in formats that pair by results also
// from the results before. So a contest can be interrupted, divided among machines and repeated.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// Plan describes a contest. All of it but the commits of bots and Added is part of the digest.
type Plan struct {
	Bots   []Bot  `json:"bots"`
	Format Format `json:"format"`
	Game   string `json:"game"`
	// Logic is the game logic of a game whose rules are in another program; else nil.
	Logic    *Bot      `json:"logic,omitempty"`
	Settings []Setting `json:"settings"` // the game's and the match's: turns, pace, limits
	Maps     []Map     `json:"maps"`
	Seats    int       `json:"seats"` // of a match
	Count    int       `json:"count"` // matches, rounded up to whole blocks; 0 means no limit
	// Added is the number of matches that were added to Count later. They follow from the digest as
	// the others do, of which they change none.
	Added int    `json:"added,omitempty"`
	Seed  uint64 `json:"seed"`
	// Seeds are those of the blocks, one after another. Without them all seeds are derived from the
	// digest; with them nothing that is drawn depends on the bots.
	Seeds []uint64 `json:"seeds,omitempty"`
	// Test is what [Comparison] decides; in other formats it is nil.
	Test *sprt.Hypotheses `json:"test,omitempty"`
}

// Bot is a bot of a contest. In a [Comparison] the first is the old version, the second the new
// one, and the others fill seats; in a [Gauntlet] the first is the hero.
type Bot struct {
	Name   string `json:"name"`
	Seat   string `json:"seat"`   // how it is started, as on the command line
	Digest Digest `json:"digest"` // of its files, or of the files that its command names
	// Commit is that of git which a bot such as my_bot.py@HEAD is of. It decides nothing, as the
	// files do, so that the digest of a plan does not depend on it.
	Commit string `json:"commit,omitempty"`
	// JS says what runs a bot in JavaScript: "builtin", which is hexarena, or "node"; else it is
	// empty.
	JS string `json:"js,omitempty"`
	// Reproducible reports that the bot plays the same match from the same seed.
	Reproducible bool `json:"reproducible"`
}

// Setting is a setting that matches are played with.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Map is a board.
type Map struct {
	Name   string `json:"name"`
	Digest Digest `json:"digest"`
	Places int    `json:"places"` // the starting places; a match can have fewer seats
}

// Format says who plays whom.
type Format string

// The formats.
const (
	RoundRobin Format = "round-robin" // all against all
	Gauntlet   Format = "gauntlet"    // the first against the others
	// the second against the first, until it is clear whether it is better
	Comparison Format = "sprt"
	Swiss      Format = "swiss"     // by score
	KnockOut   Format = "knock-out" // the better half goes on
	Groups     Format = "groups"    // all against all in groups, then a knock-out of the best
	Ladder     Format = "ladder"    // everyone who is ready
)

// Words returns what people call the format, which is its name except for a comparison.
func (f Format) Words() string {
	if f == Comparison {
		return "comparison"
	}
	return string(f)
}

// FormatNames returns the names of all formats.
func FormatNames() []string {
	return []string{
		string(Comparison), string(RoundRobin), string(Gauntlet), string(Swiss), string(KnockOut),
		string(Groups), string(Ladder),
	}
}

// Adaptive reports whether tables depend on results.
func (f Format) Adaptive() bool {
	return f == Swiss || f == KnockOut || f == Groups || f == Ladder
}

// Grows reports whether matches can be added to the contest. In a format that pairs by results the
// last round is another one with more matches, and a contest without a number plays as many as it
// needs.
func (p *Plan) Grows() bool { return !p.Format.Adaptive() && p.Count > 0 && len(p.Seeds) == 0 }

// Matches returns the number of matches, in whole blocks; 0 means no limit.
func (p *Plan) Matches() int {
	return (p.Count + p.Added + p.Seats - 1) / p.Seats * p.Seats
}

// GroupStage returns the group stage of a plan in the format [Groups], and how many matches it has.
func (p *Plan) GroupStage() (stage *pairing.GroupStage, matches int, err error) {
	if stage, err = pairing.NewGroupStage(len(p.Bots), p.Seats); err != nil {
		return nil, 0, err
	}
	tables, knockOut := stage.Tables()
	blocks := max(1, p.Count/(p.Seats*(tables+knockOut))) // of each table
	return stage, tables * blocks * p.Seats, nil
}

// Needs reports whether the contest says nothing if a bot was in none of its matches: the bots of a
// comparison, an exam, which is a gauntlet with given seeds, and a cup of two, and the hero of a
// gauntlet.
func (p *Plan) Needs(bot int) bool {
	return p.Format == Comparison || len(p.Bots) == 2 ||
		p.Format == Gauntlet && (bot == 0 || len(p.Seeds) > 0)
}

// AllReproducible reports whether all bots play the same match from the same seed.
func (p *Plan) AllReproducible() bool {
	return !slices.ContainsFunc(p.Bots, func(b Bot) bool { return !b.Reproducible })
}

// Digest is a SHA-256 sum. In JSON it is hexadecimal.
type Digest [sha256.Size]byte

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText returns the digest as hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads hexadecimal digits.
func (d *Digest) UnmarshalText(text []byte) error {
	if n, err := hex.Decode(d[:], text[:min(len(text), 2*len(d))]); err != nil || n != len(d) ||
		len(text) != 2*len(d) {
		return fmt.Errorf("digest %.80q: want %d hexadecimal digits", text, 2*len(d))
	}
	return nil
}

// Digest returns the sum of the plan's JSON, whose keys have a fixed order.
func (p *Plan) Digest() Digest { return sha256.Sum256(p.deciding()) }

// deciding returns the JSON of all that decides the matches.
func (p *Plan) deciding() []byte {
	same := *p
	same.Added = 0
	same.Bots = slices.Clone(p.Bots)
	for i := range same.Bots {
		same.Bots[i].Commit = ""
	}
	text, err := json.Marshal(&same)
	if err != nil {
		panic(err) // no field can fail
	}
	return text
}

// Check returns all mistakes in a plan.
func (p *Plan) Check() error { return p.check(p.Seats) }

// CheckKept returns all mistakes in a plan that is kept in a folder: that of an event may have
// fewer bots than a match has seats, until teams sign up.
func (p *Plan) CheckKept() error {
	if p.Format == Ladder {
		return p.check(0)
	}
	return p.Check()
}

// check returns all mistakes in a plan that needs at least that many bots.
func (p *Plan) check(fewest int) error {
	var mistakes []error
	wrong := func(format string, args ...any) {
		mistakes = append(mistakes, fmt.Errorf(format, args...))
	}
	switch p.Format {
	case RoundRobin, Gauntlet, Swiss, KnockOut, Groups, Ladder:
		if fewest > len(p.Bots) {
			wrong("seats = %d: the contest has %d bots; lower it or add bots", p.Seats, len(p.Bots))
		}
		if p.Test != nil {
			wrong("test: the format %s decides nothing; take %s", p.Format, Comparison)
		}
	case Comparison:
		if p.Test == nil {
			wrong("test: the format %s needs hypotheses", Comparison)
		} else if err := p.Test.Check(); err != nil {
			mistakes = append(mistakes, err)
		}
	default:
		wrong("format %q: want one of %s", p.Format, strings.Join(FormatNames(), ", "))
	}
	if len(p.Bots) < 2 {
		wrong("bots: there are %d, want 2 or more", len(p.Bots))
	}
	if p.Format == Groups && p.Seats >= 2 && p.Seats <= len(p.Bots) {
		if _, _, err := p.GroupStage(); err != nil {
			wrong("format %s: %w; take 2 seats, more bots or the format %s", p.Format, err, RoundRobin)
		}
	}
	if p.Seats < 2 {
		wrong("seats = %d: a match has 2 or more", p.Seats)
	}
	if len(p.Maps) == 0 {
		wrong("maps: empty, want 1 or more")
	}
	for _, m := range p.Maps {
		if m.Places < p.Seats {
			wrong("seats = %d: map %s has %d starting places", p.Seats, m.Name, m.Places)
		}
	}
	if len(p.Seeds) > 0 && p.Format != RoundRobin && p.Format != Gauntlet {
		wrong("seeds: the format %s draws its own; take %s or %s", p.Format, RoundRobin, Gauntlet)
	}
	for _, seed := range p.Seeds {
		if seed > maxSeed {
			wrong("seeds: %d is too large; want up to %d", seed, uint64(maxSeed))
		}
	}
	if p.Count < 0 {
		wrong("count = %d: want 0 or more", p.Count)
	}
	if p.Added < 0 || p.Added > 0 && !p.Grows() {
		wrong("added = %d: the format %s with count = %d takes no more matches", p.Added, p.Format,
			p.Count)
	}
	return errors.Join(mistakes...)
}
