package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// The matches of a soak are measured in parts. During the first one the server warms up;
// the last is compared with the second.
const (
	soakParts   = 10
	soakPlayers = 2
	soakSamples = 40          // of the memory in a part, at most
	soakShare   = 0.05        // by which the memory may change
	soakTime    = time.Minute // that a match may take
)

// part holds the measurements of one part. The garbage is collected between parts, so
// that all begin alike.
type part struct {
	resident   float64 // mean, in bytes
	goroutines float64 // at the end, without clients
	took       time.Duration
}

// soak plays small matches one after another in one process, with recordings and a page.
func (o *options) soak(ctx context.Context) error {
	s, err := o.serve(ctx, "--autostart", "--map", "pebble", "--visualizations", "0", "--players", strconv.Itoa(soakPlayers))
	if err != nil {
		return err
	}
	parts, err := o.measureParts(ctx, s)
	if _, failed := s.Quit(); err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	size := o.matches / soakParts
	fmt.Fprintf(o.Out, "%d matches of %d turns in one process\n\n", size*soakParts, o.turns)
	w := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "matches\tresident\tgoroutines\ttook\t")
	for i, p := range parts {
		fmt.Fprintf(w, "%d…%d\t%.2f MiB\t%.0f\t%.1f s\t\n", i*size+1, (i+1)*size, p.resident/(1<<20), p.goroutines, p.took.Seconds())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(o.records(), "*"))
	if err != nil || len(files) != size*soakParts {
		return fmt.Errorf("there are %d recordings of %d matches, %v", len(files), size*soakParts, err)
	}
	second, last := parts[1], parts[soakParts-1]
	share := last.resident/second.resident - 1
	fmt.Fprintf(o.Out, "\nthe last part compared with the second: %+.1f %%\n", 100*share)
	switch {
	case last.goroutines > second.goroutines:
		return fmt.Errorf("there are %.0f goroutines, and were %.0f", last.goroutines, second.goroutines)
	case math.Abs(share) > soakShare && size >= steadySize:
		return fmt.Errorf("resident memory has changed by %.1f %%, more than %.0f", 100*share, 100*soakShare)
	}
	return nil
}

// steadySize is the number of matches from which on a part's memory is judged: the
// collector needs that long to settle.
const steadySize = 1000

func (o *options) measureParts(ctx context.Context, s *harness.Server) (parts []part, err error) {
	for i := range soakParts {
		p, began := part{}, time.Now()
		if p.resident, err = o.playPart(ctx, s); err != nil {
			return nil, err
		}
		p.took = time.Since(began)
		limit := math.Inf(1) // goroutines of the last connections may take a moment to end
		if i > 1 {
			limit = parts[1].goroutines
		}
		m, err := settle(ctx, s, func(m metrics) bool { return m[goroutines] <= limit })
		if err != nil {
			return nil, err
		}
		p.goroutines = m[goroutines]
		o.Report("part %d of %d: %.2f MiB resident, %.1f s", i+1, soakParts, p.resident/(1<<20), p.took.Seconds())
		parts = append(parts, p)
	}
	return parts, nil
}

// playPart plays the matches of one part with empty answers, and returns the mean of the
// resident memory in bytes.
func (o *options) playPart(ctx context.Context, s *harness.Server) (mean float64, err error) {
	size := o.matches / soakParts
	every := max(1, size/soakSamples)
	samples := 0
	for n := range size {
		limited, stop := context.WithTimeout(ctx, soakTime)
		_, err := harness.Crowd{Players: soakPlayers}.Play(limited, s.Addr)
		if stop(); err != nil {
			return 0, err
		}
		if n%every > 0 {
			continue
		}
		m, err := readMetrics(ctx, s)
		if err != nil {
			return 0, err
		}
		mean += m[resident]
		samples++
	}
	return mean / float64(samples), nil
}
