package cup

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/launch"
)

// Bots are started on processors of their own.
func TestBotsHaveCores(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	all := launch.Cores()
	first, last := all[0], all[len(all)-1]
	c, _ := startedContest(t, once, 2, 2, "random", "painter")
	if err := run(t.Context(), t, c, t.TempDir(), Options{Jobs: 1, Cores: []int{first, last}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(strings.TrimPrefix(c.Env[1], notes+"="))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Sorted(strings.Lines(string(text))) // each has each seat once
	var want []string
	for _, name := range []string{"random", "painter"} {
		for _, core := range []int{first, last} {
			want = append(want, fmt.Sprintf("%s [%d]\n", name, core))
		}
	}
	if slices.Sort(want); !slices.Equal(lines, want) {
		t.Errorf("bots run on %q, want %q", lines, want)
	}
}
