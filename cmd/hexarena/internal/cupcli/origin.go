package cupcli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// origin returns the origin of the cup that is about to be played by these bots.
func (p *prepared) origin(bots []string) archive.Origin {
	return archive.Origin{
		Version: p.Version, Commit: p.Commit, Command: p.command(bots),
		Settings: p.Values.Arguments("maps", "page-hosts"),
		Maps:     mapNames(p.Values.Text("maps"), p.custom),
	}
}

// command returns the command that plays the cup again, elsewhere too: also the settings that came
// from the environment or a file, and the seed that was drawn. A plan and an exam have all that in
// their files.
func (p *prepared) command(bots []string) []string {
	words := slices.Concat([]string{"hexarena", "cup"}, p.Flags)
	if p.Sheet == nil {
		except := []string{"page-hosts", "seed"}
		for _, name := range p.Values.Names() {
			if strings.HasPrefix(p.Values.Origin(name), "flag ") {
				except = append(except, name)
			}
		}
		words = append(words, p.Values.Arguments(except...)...)
	}
	if !p.Exam && !strings.HasPrefix(p.Values.Origin("seed"), "flag ") {
		words = append(words, "--seed", strconv.FormatUint(p.contest.Plan.Seed, 10))
	}
	if slices.ContainsFunc(bots, func(bot string) bool { return strings.HasPrefix(bot, "-") }) {
		words = append(words, "--")
	}
	return append(words, bots...)
}

// mapNames returns the names of maps in a list of them, those of files without their folder.
func mapNames(list string, custom []cup.MapFile) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		title := strings.TrimSuffix(filepath.Base(name), ".json")
		if slices.ContainsFunc(custom, func(f cup.MapFile) bool { return f.Name == title }) {
			name = title
		}
		names = append(names, name)
	}
	return names
}
