//go:build linux

package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
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
	peak           int64 // of the server's resident memory, in bytes
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

// printTable prints the figures, and below them the broken limits.
func printTable(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "attack\t\trequests\trefused\theld\tsent\tturns\tlost\tp50 quiet\tattacked\tp99 "+
		"quiet\tattacked\tpeak\tdisk\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.1f MB\t%d\t%d\t%.1f ms\t%.1f ms\t%.1f ms\t%.1f ms\t%d "+
			"MiB\t%d MiB\t%s\n",
			r.name, r.what, r.tally.Requests, r.tally.Refused, r.tally.Held, float64(r.tally.Sent)/1e6,
			r.during.Turns, r.during.Lost,
			r.before.P50, r.during.P50, r.before.P99, r.during.P99, r.peak>>20, r.disk>>20, r.verdict())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		for _, f := range r.faults {
			if _, err := fmt.Fprintf(out, "%s, %s: %s\n", r.name, r.what, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// readLimit is how much of the recordings is read, in bytes. An attack may leave far more
// than is needed to judge it.
const readLimit = 64 << 20

// lapses returns how many turns honest bots lost according to the recordings in a folder,
// and describes the first. It ignores what it cannot read, since the bots count their
// losses as well.
func lapses(recordings string) (lost int, why string) {
	files, _ := filepath.Glob(filepath.Join(recordings, "*"+recording.Extension))
	left := int64(readLimit)
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			left -= info.Size()
		}
		if left < 0 {
			break
		}
		r, err := recording.Open(file)
		if err != nil {
			continue
		}
		seats := r.Header().Seats
		for turn, err := range r.Turns() {
			if err != nil {
				break
			}
			for _, in := range turn.Inputs {
				if in.Lapse == engine.Answered || int(in.Player) >= len(seats) ||
					!strings.HasPrefix(seats[in.Player].Nickname, honestName) {
					continue
				}
				lost++
				why = cmp.Or(
					why,
					fmt.Sprintf("%s: %v in turn %d of %s", seats[in.Player].Nickname, in.Lapse, turn.Step,
						filepath.Base(file)),
				)
			}
		}
		_ = r.Close()
	}
	return lost, why
}
