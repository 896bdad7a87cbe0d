//go:build browser

package pagetest

import (
	"slices"
	"strings"
	"testing"
)

// The report on a match is beside the board at its end, on the page of a server and in an exported file.
func TestReport(t *testing.T) {
	eachKept(t, func(t *testing.T, s *show, open kept) {
		b := open(t, "#t=90")
		const cells = `[...document.querySelectorAll(".report tr")].map((row) => [...row.children].map((cell) => cell.textContent).join("|")).join("\n")`
		await(b, "lines of the report", `document.querySelectorAll(".report tr").length`, 1+len(seats))
		lines := strings.Split(value[string](b, cells), "\n")
		if want := "|bot|score|cells|deaths|bombs|p50|p99|skipped|refused|"; !strings.HasPrefix(lines[0], want) {
			t.Errorf("the head is %q, want %q", lines[0], want)
		}
		first := strings.Split(lines[1], "|")
		if first[0] != "1" || !slices.ContainsFunc(seats, func(name string) bool { return name == first[1] }) {
			t.Errorf("the first line is %q, want the first rank and one of %q", lines[1], seats)
		}
		b.shoot("report")
	})
}
