package why

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// typicalLosses is the number of lost matches that a digest names: enough to see whether they are
// alike.
const typicalLosses = 3

// Digest is where a bot of a cup wins and loses.
type Digest struct {
	Bot      string           `json:"bot"`
	All      Part             `json:"all"`
	Against  map[string]*Part `json:"against"` // by opponent
	Maps     map[string]*Part `json:"by_map"`
	Seats    map[int]*Part    `json:"by_seat"` // from 1
	Forfeits map[string]int   `json:"forfeits"`
	Refused  int              `json:"refused_actions"`
	// Typical are lost matches, those whose margin is nearest to the median of all that were lost;
	// if recordings were kept, they have one.
	Typical []Loss `json:"typical_losses"`
	losses  []Loss
}

// Part counts how a bot fared against the others of some matches, one by one.
type Part struct {
	Won    int   `json:"won"`
	Tied   int   `json:"tied"`
	Lost   int   `json:"lost"`
	Margin int64 `json:"margin"` // the sum of the differences of scores
}

// Loss is a match in which a bot was behind another.
type Loss struct {
	K      int    `json:"k"`
	Seat   int    `json:"seat"` // from 1
	Map    string `json:"map"`
	To     string `json:"to"` // who was first
	Margin int64  `json:"margin"`
	File   string `json:"file,omitempty"` // of the recording; empty if it was not kept
}

func (p *Part) add(margin int64, rank, other int) {
	p.Margin += margin
	switch {
	case rank < other:
		p.Won++
	case rank > other:
		p.Lost++
	default:
		p.Tied++
	}
}

// Played returns the number of comparisons.
func (p *Part) Played() int { return p.Won + p.Tied + p.Lost }

// Share returns the share of points that the bot lost, of one point for each comparison.
func (p *Part) Share() float64 {
	return (float64(p.Lost) + float64(p.Tied)/2) / float64(max(1, p.Played()))
}

// NewDigest reads the rows of a cup. It calls progress with the number of those that it has read,
// and of all; 0 if the cup has no limit.
func NewDigest(
	ctx context.Context, c *archive.Cup, bot string, progress func(done, total int),
) (*Digest, error) {
	d := &Digest{
		Bot: bot, Against: map[string]*Part{}, Maps: map[string]*Part{}, Seats: map[int]*Part{},
		Forfeits: map[string]int{},
	}
	err := c.Rows(func(row *results.Row, _ []archive.Times) error {
		if seat := slices.Index(row.Bots, bot); seat >= 0 {
			d.add(row, seat)
		}
		progress(row.K+1, c.Plan.Matches())
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return d, d.choose(c)
}

func (d *Digest) add(row *results.Row, seat int) {
	d.Refused += row.Refused[seat]
	if kind := row.Forfeits[seat]; kind != "" {
		d.Forfeits[kind]++
	}
	first := seat
	for other, name := range row.Bots {
		if other == seat {
			continue
		}
		margin := row.Scores[seat] - row.Scores[other]
		for _, p := range []*Part{
			&d.All, part(d.Against, name), part(d.Maps, row.Map), part(d.Seats, seat+1),
		} {
			p.add(margin, row.Ranks[seat], row.Ranks[other])
		}
		if row.Ranks[other] < row.Ranks[first] {
			first = other
		}
	}
	if first != seat {
		d.losses = append(d.losses, Loss{
			K: row.K, Seat: seat + 1, Map: row.Map, To: row.Bots[first],
			Margin: row.Scores[first] - row.Scores[seat],
		})
	}
}

func part[K comparable](parts map[K]*Part, key K) *Part {
	if parts[key] == nil {
		parts[key] = &Part{}
	}
	return parts[key]
}

// choose chooses the typical losses.
func (d *Digest) choose(c *archive.Cup) error {
	if len(d.losses) == 0 {
		return nil
	}
	files, err := c.Recordings()
	if err != nil {
		return err
	}
	byMargin := func(x, y Loss) int { return cmp.Or(cmp.Compare(x.Margin, y.Margin), x.K-y.K) }
	slices.SortFunc(d.losses, byMargin)
	median := d.losses[len(d.losses)/2].Margin
	kept := slices.DeleteFunc(slices.Clone(d.losses), func(l Loss) bool { return files[l.K] == "" })
	if len(kept) == 0 {
		kept = d.losses
	}
	away := func(l Loss) int64 { return max(l.Margin-median, median-l.Margin) }
	slices.SortStableFunc(kept, func(x, y Loss) int { return cmp.Compare(away(x), away(y)) })
	d.Typical = kept[:min(typicalLosses, len(kept))]
	for i := range d.Typical {
		d.Typical[i].File = files[d.Typical[i].K]
	}
	return nil
}

// shownParts is the number of opponents, maps and seats of each kind that a digest has: those in
// which the bot loses most.
const shownParts = 12

// Text returns the digest as text: a line for each part, the worst first.
func (d *Digest) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", d.Bot, d.All.text())
	for _, kind := range sortedKeys(d.Forfeits, strings.Compare) {
		fmt.Fprintf(&b, "forfeited %d times: %s\n", d.Forfeits[kind], kind)
	}
	fmt.Fprintf(&b, "refused actions: %d\n", d.Refused)
	writeParts(&b, "against", d.Against, strings.Compare, func(s string) string { return s })
	writeParts(&b, "on map", d.Maps, strings.Compare, func(s string) string { return s })
	writeParts(&b, "in seat", d.Seats, cmp.Compare[int], strconv.Itoa)
	if len(d.losses) == 0 {
		b.WriteString("\nIt lost no match.\n")
		return b.String()
	}
	fmt.Fprintf(&b, "\nIt lost %d matches. Typical ones:\n", len(d.losses))
	return b.String()
}

func (p *Part) text() string {
	score := textutil.Minus(fmt.Sprintf("%+.1f", float64(p.Margin)/float64(max(1, p.Played()))))
	return fmt.Sprintf("lost %.0f %% (%d won, %d tied, %d lost), score %s on average", 100*p.Share(),
		p.Won, p.Tied, p.Lost, score)
}

func sortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) (keys []K) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compare)
	return keys
}

func writeParts[K comparable](
	b *strings.Builder, title string, parts map[K]*Part, compare func(a, b K) int, name func(K) string,
) {
	keys := sortedKeys(parts, compare)
	slices.SortStableFunc(keys, func(x, y K) int {
		return cmp.Compare(parts[y].Share(), parts[x].Share())
	})
	b.WriteByte('\n')
	for _, k := range keys[:min(len(keys), shownParts)] {
		fmt.Fprintf(b, "%s %s: %s\n", title, name(k), parts[k].text())
	}
	if more := len(keys) - shownParts; more > 0 {
		fmt.Fprintf(b, "and %d others in which it loses less\n", more)
	}
}
