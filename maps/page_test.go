package maps

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestPageNamesEachMap checks that docs/maps.md shows each map with its figures.
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

// tableRow returns a map's row in the table of the page.
func tableRow(info Info) string {
	return fmt.Sprintf("| [%s](#%[1]s) | %d × %d | %d | %d | %d | %.0f %% | %s |", info.Name,
		info.Players, info.Characters, info.Cells, info.Specials, info.Holes, 100*info.Corridors, info.Description)
}

// TestPageExampleIsValid checks that the example of a map file is valid and fair.
func TestPageExampleIsValid(t *testing.T) {
	page, err := os.ReadFile("../docs/maps.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	r := Check("example", []byte(example))
	if len(r.Problems)+len(r.Remarks) > 0 || !fair(r.Fairness.Verdict) {
		t.Errorf("Check of the example = %q, %q, %v", r.Problems, r.Remarks, r.Fairness.Verdict)
	}
}
