package cup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

// Restart returns how bot i of the plan of the cup in a folder is started by itself: from its copy,
// if it has one.
func Restart(
	ctx context.Context, dir string, p *plan.Plan, i int, known seat.Known,
) (seat.Spec, error) {
	return restart(ctx, copyIn(dir, p, i), &p.Bots[i], known)
}

// copyIn returns the folder of the copy of bot i of a plan, in the folder of its cup.
func copyIn(dir string, p *plan.Plan, i int) string {
	return filepath.Join(dir, botsDir, copyNames(p.Bots)[i])
}

// restart returns how a bot, or a game logic, is started: from its copy, if there is one.
func restart(ctx context.Context, copied string, b *plan.Bot, known seat.Known) (seat.Spec, error) {
	argument, stdio := strings.CutPrefix(b.Seat, seat.StdioPrefix)
	start := argument
	if _, err := os.Stat(copied); err == nil {
		if start, err = copyOf(ctx, copied, argument, known); err != nil {
			return seat.Spec{}, fmt.Errorf("bot %s: %w", b.Name, err)
		}
	}
	if stdio {
		start = seat.StdioPrefix + start
	}
	if known.JS = launch.JSNode; b.JS == launch.JSBuiltin.String() { // cups without the key are older
		known.JS = launch.JSBuiltin
	}
	// git may have another version now
	list, err := seat.Parse(seat.WithAsOf(ctx, nil), []string{start}, known)
	if err != nil {
		return seat.Spec{}, fmt.Errorf("bot %s: %w", b.Name, err)
	}
	return list[0], nil
}

// copyOf returns the file to start of a bot's copy: the one that the argument names, or if that
// named a folder the main file.
func copyOf(ctx context.Context, copied, argument string, known seat.Known) (string, error) {
	r, ok := revisionOf(argument)
	name := r.name
	if !ok {
		name = argument
	}
	file := filepath.Join(copied, filepath.Base(name))
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return file, nil
	}
	return program(ctx, copied, known)
}

// copyNames returns the names of the folders of the bots' copies.
func copyNames(bots []plan.Bot) []string {
	folders := make([]seat.Spec, len(bots))
	for i := range bots {
		folders[i].Label = fileName(bots[i].Name)
	}
	seat.SetLabels(folders)
	names := make([]string, len(bots))
	for i := range folders {
		names[i] = folders[i].Label
	}
	return names
}
