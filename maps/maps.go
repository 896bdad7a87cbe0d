// Package maps has the boards that come with hexarena and what one does with
// any map of hexabomb's: find and load it, check whether it is sound and fair,
// generate a new one, draw it as text or as SVG.
//
// It knows no rules: what a map is, and which files are none, is hexabomb's to
// say. Its functions start no goroutine, and only read the maps given to them.
package maps

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/hexarena/hexarena/engine/hexabomb"
)

// Default is the shipped map that is played on when none is named.
const Default = "lagoon"

// MaxFileSize is the size in bytes of the largest map file that is read.
const MaxFileSize = 16 << 20

// ErrUnknown is the error of a name that is neither a shipped map nor a file.
var ErrUnknown = errors.New("no such map")

//go:embed *.json
var files embed.FS

// shipped lists the maps that come with the program, fewest players first.
var shipped = []struct{ name, description string }{
	{"pebble", "a bare little stone for two; nowhere to hide"},
	{"hourglass", "two bulbs and a neck that both want to hold"},
	{"clover", "three leaves, each around a hole, on one stem"},
	{"crossroads", "city blocks: narrow streets, four squares to start from"},
	{"lagoon", "an atoll around still water, with an islet to fight for"},
	{"archipelago", "seven to a crew, many islands, few bridges"},
	{"snowflake", "six branching arms; whoever is cut off freezes"},
	{"honeycomb", "combs and galleries for six swarms"},
}

// Names are the names of the shipped maps, fewest players first.
func Names() []string {
	names := make([]string, len(shipped))
	for i, s := range shipped {
		names[i] = s.name
	}
	return names
}

// List describes the shipped maps, fewest players first.
func List() []Info {
	infos := make([]Info, len(shipped))
	for i, s := range shipped {
		infos[i] = Describe(s.name, mustLoad(s.name))
	}
	return infos
}

func descriptionOf(name string) string {
	for _, s := range shipped {
		if s.name == name {
			return s.description
		}
	}
	return ""
}

// Load is the shipped map of that name or, when there is none, the map in the
// file of that name. The error names the file and wraps [ErrUnknown],
// [*hexabomb.MapError] with all that is wrong with the map, or an [fs.PathError].
func Load(nameOrFile string) (*hexabomb.Map, error) {
	data, err := Read(nameOrFile)
	if err != nil {
		return nil, err
	}
	m, err := hexabomb.ParseMap(data)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", nameOrFile, err)
	}
	return m, nil
}

// Read is the text of a map found as [Load] does, whatever it holds.
func Read(nameOrFile string) ([]byte, error) {
	if slices.Contains(Names(), nameOrFile) {
		return files.ReadFile(nameOrFile + ".json")
	}
	f, err := os.Open(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) && !looksLikePath(nameOrFile) {
		return nil, unknown(nameOrFile)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFileSize {
		return nil, fmt.Errorf("map %s: the file is larger than the %d MiB that are read", nameOrFile, MaxFileSize>>20)
	}
	return data, nil
}

func looksLikePath(s string) bool {
	return strings.ContainsAny(s, `/\`) || strings.Contains(s, ".")
}

func unknown(name string) error {
	return fmt.Errorf("%w: %q is neither a shipped map nor a file%s; the shipped maps are %s",
		ErrUnknown, name, suggest(name), strings.Join(Names(), ", "))
}

// suggest names the shipped map that was probably meant, if there is one.
func suggest(name string) string {
	const longest = 32 // bytes of what can be a slip of the fingers
	if len(name) > longest {
		return ""
	}
	best, least := "", 4 // more typing errors than that are another word
	for _, known := range Names() {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), known); d < least && d < len(known)/2+1 {
			best, least = known, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// mustLoad loads a shipped map: it is part of the program, and a test loads all.
func mustLoad(name string) *hexabomb.Map {
	m, err := Load(name)
	if err != nil {
		panic(err)
	}
	return m
}
