//go:build linux

package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Limits that an attack must not break.
const (
	memoryBound = 256 << 20 // resident memory of the server in bytes
	delayFactor = 2         // of the undisturbed p99, to which delaySlack is added
	delaySlack  = 5.0       // ms
	paceShare   = 0.9       // of the turns that are due at the pace of a timer
)

// row is the result of one attack.
type row struct {
	attack
	before, during phase
	tally          tally
	peak           int   // of the server's resident memory, in bytes
	disk           int64 // peak size of the recordings, in bytes
	faults         []string
}

// fault adds a broken limit.
func (r *row) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// judge adds the limits that the figures break. due is the number of TURNs that the honest
// bots should have received during the attack; 0 if it is unknown.
func (r *row) judge(due float64) {
	if r.peak > memoryBound {
		r.fault("%d MiB resident, more than %d", r.peak>>20, memoryBound>>20)
	}
	if r.room > 0 && r.disk > r.room {
		r.fault("%d MiB of recordings, more than %d", r.disk>>20, r.room>>20)
	}
	if r.honest == 0 {
		return
	}
	if n := r.during.Lost; n > 0 {
		r.fault("%d turns of honest bots lost (%.200s)", n, r.during.Why)
	}
	if n := r.during.Refused; n > 0 {
		r.fault("%d logins of honest bots refused (%.200s)", n, r.during.Why)
	}
	limit := delayFactor*max(r.before.P99, r.found) + delaySlack
	switch {
	case r.during.Turns == 0:
		r.fault("no turn was played")
	case r.during.P99 > limit:
		r.fault("p99 of %.1f ms, more than %.1f", r.during.P99, limit)
	case float64(r.during.Turns) < paceShare*due:
		r.fault("%d turns of %.0f that were due", r.during.Turns, due)
	}
}

func (r *row) verdict() string {
	if len(r.faults) == 0 {
		return "held"
	}
	return "BROKEN"
}

type table []row

// print prints the figures, and below them the broken limits.
func (t table) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "attack\t\trequests\trefused\theld\tsent\tturns\tlost\tp50 quiet\tattacked\tp99 quiet\tattacked\tpeak\tdisk\t")
	for _, r := range t {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.1f MB\t%d\t%d\t%.1f ms\t%.1f ms\t%.1f ms\t%.1f ms\t%d MiB\t%d MiB\t%s\n",
			r.name, r.what, r.tally.Requests, r.tally.Refused, r.tally.Held, float64(r.tally.Sent)/1e6, r.during.Turns, r.during.Lost,
			r.before.P50, r.during.P50, r.before.P99, r.during.P99, r.peak>>20, r.disk>>20, r.verdict())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range t {
		for _, f := range r.faults {
			if _, err := fmt.Fprintf(out, "%s, %s: %s\n", r.name, r.what, f); err != nil {
				return err
			}
		}
	}
	return nil
}
