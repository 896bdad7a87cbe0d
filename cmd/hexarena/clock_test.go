package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// wallClock maps each file that reads the wall clock to the purpose. All others measure
// differences of time.Now, which use the monotonic clock: when the wall clock jumps, no
// turn is shorter, no clock runs out, and no client is kicked.
var wallClock = map[string]string{
	"cmd/hexarena/replayshow.go":            "prints when a recording began",
	"protocol/netorcai/client.go":           "a deadline long past",
	"server/event/deadline.go":              "when the deadline is, which outlasts the process",
	"server/event/site/deadline.go":         "when the deadline is, which outlasts the process",
	"server/event/site/removal.go":          "which teams signed up since a time",
	"server/event/journal.go":               "notes when something was done",
	"server/event/site/teamapi.go":          "tells teams when a round begins",
	"server/event/site/teampage.go":         "tells browsers when a round begins",
	"server/event/site/header.go":           "tells browsers when a round begins",
	"server/event/site/room.go":             "tells browsers when a round begins",
	"server/cup/archive/archive.go":         "which cup was played last",
	"server/contest/source/tree.go":         "whether a file was replaced",
	"server/cup/remote/broker/broker.go":    "a certificate that does not expire",
	"server/cup/times.go":                   "notes when a match began",
	"server/seat/seating/report.go":         "reports when a match began",
	"server/games/hextictactoe/notation.go": "prints when a recording began",
	"server/launch/build/cache.go":          "which build was used last",
	"server/launch/watch.go":                "whether a file was replaced",
	"server/recording/keeper.go":            "how old a recording is",
	"server/recording/read.go":              "whether a file was replaced",
	"server/recording/recorder.go":          "the recording's header and name",
	"server/session/farewell.go":            "a deadline long past",
	"server/web/certificate.go":             "whether a certificate was renewed",
	"server/web/folder.go":                  "whether a file was replaced",
	"server/web/prepared.go":                "whether a file was replaced",
	"server/web/single.go":                  "prints when a recording began",
}

var wallCalls = regexp.MustCompile(`\.(UTC|Local|Unix|UnixMilli|UnixMicro|UnixNano|ModTime)\(\)|time\.Unix\(|time\.(Date|Parse|ParseInLocation)\(|\.Round\(0\)`)

func TestWallClock(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	root := filepath.Join("..", "..")
	found := map[string]bool{}
	for _, top := range []string{"cmd", "config", "engine", "protocol", "server"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
				strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			name = filepath.ToSlash(name)
			if call := wallCalls.Find(text); call != nil {
				found[name] = true
				if wallClock[name] == "" {
					t.Errorf("%s reads the wall clock: %s", name, call)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range wallClock {
		if !found[name] {
			t.Errorf("%s does not read the wall clock any more", name)
		}
	}
}
