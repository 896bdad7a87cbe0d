// Package maps holds the boards that come with hexarena and tools for any map of hexabomb:
// loading, checking for mistakes and fairness, and generating. Package picture draws them.
//
// The rules, including what a valid map is, belong to package hexabomb. The functions start no
// goroutines and do not modify the maps passed to them.
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

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// Default is the name of the shipped map that is played by default.
const Default = "lagoon"

// Event is the name of the one that an event plays by default: its smaller turns leave room in the
// network of a class.
const Event = "garden"

// MaxFileSize is the size of the largest map file that is read, in bytes.
const MaxFileSize = 16 << 20

// ErrUnknown reports a name that is neither a shipped map nor a file.
var ErrUnknown = errors.New("no such map")

//go:embed *.json
var files embed.FS

// shipped lists the maps that come with the program, ordered by number of players.
var shipped = []struct{ name, description string }{
	{"pebble", "a bare little stone for two; nowhere to hide"},
	{"hourglass", "two bulbs and a neck that both want to hold"},
	{"clover", "three leaves, each around a hole, on one stem"},
	{"garden", "a hexagon with nine ponds: short ways, and room on both sides of each"},
	{"crossroads", "city blocks: narrow streets, four squares to start from"},
	{"lagoon", "an atoll around still water, with an islet to fight for"},
	{"archipelago", "crews of seven, many islands, few bridges"},
	{"snowflake", "six branching arms, each easily cut off"},
	{"honeycomb", "combs and galleries for six swarms"},
}

// Names returns the names of the shipped maps, ordered by number of players.
func Names() []string {
	names := make([]string, len(shipped))
	for i, s := range shipped {
		names[i] = s.name
	}
	return names
}

// List describes the shipped maps, ordered by number of players.
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

// Load returns the shipped map with that name, or else the map in the file with that
// name. The error names the file and wraps [ErrUnknown], an [fs.PathError], or a
// [*hexabomb.MapError] with all problems of the map.
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

// Read returns the text of a map found as by Load, without checking it.
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
		return nil, fmt.Errorf("map %s: the file is larger than %d MiB", nameOrFile, MaxFileSize>>20)
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

// suggest returns a hint with the shipped map that was probably meant, if any.
func suggest(name string) string {
	const (
		longest = 32 // longer names are not taken for misspelt ones
		likely  = 3  // a name with more differences is another word
	)
	best, differences := textutil.Nearest(name, Names())
	if len(name) > longest || differences > min(likely, len(best)/2) {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// mustLoad loads a shipped map. It cannot fail: a test loads all of them.
func mustLoad(name string) *hexabomb.Map {
	m, err := Load(name)
	if err != nil {
		panic(err)
	}
	return m
}
