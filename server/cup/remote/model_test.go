package remote

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/doctest"
)

// figure is a number of the model, with where it comes from.
type figure struct {
	what  string
	value float64
	unit  string
	from  string
}

// Figures that were measured on two cores of a shared machine; those of a result are the medians
// of eight rounds, while others used the cores. Times are processor time unless they say otherwise.
var (
	perMatch   = figure{"processor time of the coordinator, with its broker, for a result", 35, "µs", "`go run ./tools/benchmark -only workers`"}
	perLong    = figure{"the same for a match of 100 turns and four seats, of which one in a hundred is played again", 180, "µs", "the same"}
	builtin    = figure{"processor time of a worker for such a match, of built-in bots", 11.2, "ms", "the same"}
	perRequest = figure{"processor time of a request and its reply: client, broker and coordinator", 27, "µs", "`go test -run '^$' -bench Broker ./cmd/hexarena`"}
	perMessage = figure{"processor time of a message with one result", 170, "µs", "the same"}
	syncing    = figure{"time until a message of 256 results is synced", 1.6, "ms", "the same"}
)

// What the model assumes of machines and matches.
var (
	cores     = figure{"cores of a machine, one match on each", 8, "", "assumed"}
	network   = figure{"network of the coordinator", 125, "MB/s", "assumed: 1 Gbit/s"}
	tail      = figure{"the longest match of those that are played at once, in mean ones", 3, "", "assumed"}
	bots      = figure{"bots of the cup, packed", 40, "MB", "assumed: forty of 1 MB"}
	logRow    = figure{"a row of `log.ndjson` and of `times.csv`", 490, "bytes", "a cup of four seats, `wc -c` by its matches"}
	diskSpeed = figure{"disk of the coordinator, in sequence", 100, "MB/s", "assumed"}
)

// modelled are the processor times of a match, in seconds.
var modelled = []struct {
	what  string
	match float64
}{
	{"built-in bots", builtin.value / 1e3},
	{"bots that take 1 s a match", 1},
	{"bots that take 10 s a match", 10},
}

// resource is what may limit a cup.
type resource struct {
	name  string
	limit float64 // matches per second
}

// limits returns the resources of the coordinator with the rates at which they limit a cup, when each of the machines plays matches that take match seconds
// on one core.
func limits(machines, match, resultBytes, leaseBytes float64) []resource {
	rate := cores.value / match // of a worker, one on each machine
	lease := max(cores.value, min(maxLease, rate*leaseTime.Seconds(), cup.LeasedWindow/(2*machines)))
	requests := machines * max(1/beat.Seconds(), rate/lease)
	messages := machines * max(min(rate, 1/groupTime.Seconds()), rate/maxLease)
	wanted := machines * rate
	processor := perMatch.value/1e6 + (requests*perRequest.value+messages*perMessage.value)/1e6/wanted
	again := (perLong.value - perMatch.value) / 1e6 * sampleRate // a recording that is verified
	return []resource{
		{"processor", 1 / processor},
		{"verifying", sampleRate / again},
		{"window", cup.LeasedWindow / (lease/rate + tail.value*match)}, // a lease's last match waits for the others
		{"syncing", maxLease / (syncing.value / 1e3)},
		{"network", network.value * 1e6 / (resultBytes + leaseBytes)},
		{"log", diskSpeed.value * 1e6 / logRow.value},
	}
}

// sizes returns the bytes of a result and of a match in a lease, as they are sent.
func sizes(t *testing.T) (result, match float64) {
	p := cuptest.Plan(plan.RoundRobin, 4, 4)
	row := cuptest.Rows(p, 300_001)[300_000]
	o := &cup.Outcome{Row: row}
	const times = `{"k":300000,"started":"2026-11-23T16:00:00.123456789Z","took":12600000,"host":"worker-7f9c4d-12345","seat":1,"bot":"hunter","answers":100,"p50":52000,"p99":99000,"max":120000}`
	if err := json.Unmarshal([]byte(`{"Times":[`+strings.Repeat(times+",", p.Seats-1)+times+`]}`), o); err != nil {
		t.Fatal(err)
	}
	l := &leased{ID: "0123456789ab-100"}
	for k := range maxLease {
		l.Matches = append(l.Matches, leasedMatch{K: 300_000 + k})
	}
	return float64(len(appendLine(nil, playedOutcome{Outcome: o}))), float64(len(encode(l))) / maxLease
}

// docs/scale.md has the model.
func TestModel(t *testing.T) {
	thorough.Long(t)
	doctest.Section(t, "../../../docs/scale.md", "model", model(sizes(t)))
}

// model returns the tables of the model in Markdown.
func model(resultBytes, leaseBytes float64) string {
	var b strings.Builder
	b.WriteString("| figure | | from |\n| --- | --- | --- |\n")
	for _, f := range []figure{
		perMatch, perLong, builtin, perRequest, perMessage, syncing, logRow,
		{"a result on the network", resultBytes, "bytes", "the test, which encodes one of four seats"},
		{"a match in a lease", leaseBytes, "bytes", "the test"},
		cores, network, diskSpeed, tail, bots,
	} {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.what, strings.TrimSpace(fmt.Sprintf("%.4g %s", f.value, f.unit)), f.from)
	}
	b.WriteString("\n| cup | machines | matches a second |")
	for _, r := range limits(1, 1, resultBytes, leaseBytes) {
		fmt.Fprintf(&b, " %s |", r.name)
	}
	b.WriteString(" it plays |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, kind := range modelled {
		for _, machines := range []float64{10, 100, 1000} {
			wanted := machines * cores.value / kind.match
			list := limits(machines, kind.match, resultBytes, leaseBytes)
			next := scarcest(list)
			fmt.Fprintf(&b, "| %s | %.0f | %s |", kind.what, machines, short(wanted))
			for _, r := range list {
				cell := fmt.Sprintf("%s %%", short(100*wanted/r.limit))
				if r == next {
					cell = "**" + cell + "**"
				}
				fmt.Fprintf(&b, " %s |", cell)
			}
			plays := "all"
			if next.limit < wanted {
				plays = short(next.limit)
			}
			fmt.Fprintf(&b, " %s |\n", plays)
		}
	}
	b.WriteString("\n| cup | is limited from | by |\n| --- | --- | --- |\n")
	for _, kind := range modelled {
		for machines := 1.0; ; machines++ {
			next := scarcest(limits(machines, kind.match, resultBytes, leaseBytes))
			if machines*cores.value/kind.match >= next.limit {
				fmt.Fprintf(&b, "| %s | %.0f machines | %s |\n", kind.what, machines, next.name)
				break
			}
		}
	}
	b.WriteString("\n| machines | bots have reached all after | requests while all wait | processor for them |\n| --- | --- | --- | --- |\n")
	for _, machines := range []float64{10, 100, 1000} {
		requests := machines / idlePause.Seconds()
		fmt.Fprintf(&b, "| %.0f | %s s | %s a second | %s %% of a core |\n", machines, short(machines*bots.value/network.value), short(requests), short(100*requests*perRequest.value/1e6))
	}
	return b.String()
}

// scarcest returns the resource that limits a cup first.
func scarcest(list []resource) resource {
	return slices.MinFunc(list, func(a, b resource) int { return cmp.Compare(a.limit, b.limit) })
}

// short returns a number with two digits that count.
func short(v float64) string {
	switch {
	case v >= 100:
		unit := 10.0
		for unit*100 <= v {
			unit *= 10
		}
		return fmt.Sprintf("%.0f", float64(int(v/unit+0.5))*unit)
	case v >= 10:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}
