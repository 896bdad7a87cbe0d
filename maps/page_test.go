package maps

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page about maps shows each of them with its figures.
func TestPageNamesEachMap(t *testing.T) {
	page, err := os.ReadFile("../docs/maps.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range List() {
		for _, part := range []string{"img/maps/" + info.Name + ".svg", tableRow(info)} {
			if !strings.Contains(string(page), part) {
				t.Errorf("docs/maps.md lacks %q", part)
			}
		}
	}
}

// tableRow is the row of a map in the table of the page.
func tableRow(info Info) string {
	return fmt.Sprintf("| [%s](#%[1]s) | %d × %d | %d | %d | %d | %.0f %% | %s |", info.Name,
		info.Players, info.Characters, info.Cells, info.Specials, info.Holes, 100*info.Corridors, info.Description)
}

// The example of a map file can be played on, and is fair.
func TestPageShowsASoundMap(t *testing.T) {
	page, err := os.ReadFile("../docs/maps.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	r := Check("example", []byte(example))
	if len(r.Problems)+len(r.Remarks) > 0 || !r.Fairness.Verdict.Fair() {
		t.Errorf("Check of the example = %q, %q, %v", r.Problems, r.Remarks, r.Fairness.Verdict)
	}
}
