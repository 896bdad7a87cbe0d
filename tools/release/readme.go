package main

import (
	"bytes"
	"fmt"
	"regexp"
)

// readme is README.md for people who have the program: without the picture and the ways to get
// hexarena, and with links to the pages of the commit.
type readme struct{ intro, usage []byte }

// afterSetup is the first section that is not about getting hexarena.
const afterSetup = "## Write a bot\n"

// The first steps of the two kinds of readers, between intro and usage.
const (
	play         = "Play a match between four built-in bots:\n\n    hexarena play"
	archiveStart = "`hexarena` in this folder (on Windows `hexarena.exe`) is the whole program. " +
		"Move it into a folder of your path, or\nwrite `./hexarena` wherever this page says " +
		"`hexarena`. `kits/` has a bot to begin with in six languages, as `hexarena new`\nwrites it; " +
		"`hexarena.cdx.json` lists what the program consists of, and `THIRD_PARTY.txt` has the " +
		"licenses of that.\n\n" + play
	wheelStart = "`pipx install hexarena` installs the program, `pipx run hexarena` runs it without " +
		"that.\n\n" + play
)

// relative matches links to files of the repository.
var relative = regexp.MustCompile(`\]\(([A-Za-z][^):]*)\)`)

func readReadme(text []byte, commit string) (*readme, error) {
	const picture = "<picture>"
	intro, rest, ok1 := bytes.Cut(text, []byte(picture))
	i := bytes.Index(rest, []byte(afterSetup))
	if !ok1 || i < 0 {
		return nil, fmt.Errorf("README.md: want %q, and after it %q", picture, afterSetup)
	}
	absolute := []byte("](" + home + "/blob/" + commit + "/$1)")
	return &readme{
		relative.ReplaceAll(bytes.TrimSpace(intro), absolute), relative.ReplaceAll(rest[i:], absolute),
	}, nil
}

// with returns the whole text.
func (r *readme) with(start string) []byte {
	return bytes.Join([][]byte{r.intro, []byte(start), r.usage}, []byte("\n\n"))
}
