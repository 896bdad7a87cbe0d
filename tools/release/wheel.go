package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// wheel is a Python package that puts the program where pip and pipx put commands, and has the
// module hexarena_env. One named hexarena would stand in for the kit of the same name where a bot
// lacks it.
//
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
type wheel struct {
	version  string
	platform string // compressed tags, separated by dots
	files    []file
	modified time.Time
}

func (p *program) wheel(bom []byte) *wheel {
	tags := wheelTags[p.target]
	w := &wheel{version: p.pep440, platform: strings.Join(tags, "."), modified: p.time}
	var about strings.Builder
	about.WriteString(
		"Wheel-Version: 1.0\nGenerator: hexarena tools/release\nRoot-Is-Purelib: false\n")
	for _, tag := range tags {
		fmt.Fprintf(&about, "Tag: py3-none-%s\n", tag)
	}
	name := "hexarena-" + w.version
	w.files = []file{
		{name: "hexarena_env.py", mode: 0o644, data: p.module},
		{name: name + ".data/scripts/" + p.target.executable(), mode: 0o755, data: p.binary},
		{name: name + ".dist-info/METADATA", mode: 0o644, data: p.metadata()},
		{name: name + ".dist-info/WHEEL", mode: 0o644, data: []byte(about.String())},
		{name: name + ".dist-info/licenses/LICENSE", mode: 0o644, data: p.license},
		{name: name + ".dist-info/licenses/THIRD_PARTY.txt", mode: 0o644, data: p.notices},
		{name: name + ".dist-info/sboms/hexarena.cdx.json", mode: 0o644, data: bom},
	}
	record := name + ".dist-info/RECORD"
	w.files = append(w.files, file{name: record, mode: 0o644, data: w.record(record)})
	return w
}

// metadata describes the package; the README is what a package index shows.
func (s *source) metadata() []byte {
	var text bytes.Buffer
	text.WriteString("Metadata-Version: 2.4\nName: hexarena\nVersion: " + s.pep440 + "\nSummary: " +
		"Bots fight on hexagonal boards: server, games, maps, bots to play against, and a page to " +
		"watch them\nLicense-Expression: Apache-2.0\nLicense-File: LICENSE\nLicense-File: " +
		"THIRD_PARTY.txt\nProject-URL: Source, " + home +
		"\nProject-URL: Changelog, " + home + "/blob/" + s.commit + "/CHANGELOG.md\n" +
		"Description-Content-Type: text/markdown\n\n")
	text.Write(s.readme.with(wheelStart))
	return text.Bytes()
}

// record returns the list of the files with their hashes, which does not have its own.
func (w *wheel) record(itself string) []byte {
	var list bytes.Buffer
	for _, f := range w.files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]),
			len(f.data))
	}
	list.WriteString(itself + ",,\n")
	return list.Bytes()
}

func (w *wheel) fileName() string {
	return "hexarena-" + w.version + "-py3-none-" + w.platform + ".whl"
}

func (w *wheel) archive(out io.Writer) error { return writeZip(out, w.files, w.modified) }

// described matches versions as git describe --tags --always --dirty returns them: a tag, perhaps
// with the number of commits since, or a commit.
var described = regexp.MustCompile(`^(?:v?(\d+(?:\.\d+)*)(?:-(alpha|beta|rc)\.?(\d+))?(?:-(\d+)-(g[0-9a-f]+))?|([0-9a-f]{7,40}|dev))(-dirty)?$`)

// pep440 returns a version as Python orders them: v1.2.3-rc.1 is 1.2.3rc1, and commits since a tag
// are a post-release.
func pep440(version string) (string, error) {
	m := described.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf(
			"version %q is not like v1.2.3, v1.2.3-rc.1 or what git describe makes of them", version)
	}
	number, stage, stageNumber, commits := m[1], m[2], m[3], m[4]
	since, untagged, dirty := m[5], m[6], m[7]
	var local []string
	if since != "" {
		local = append(local, since)
	}
	switch untagged {
	case "":
	case "dev":
		number, local = "0", []string{untagged}
	default:
		number, local = "0", []string{"g" + untagged} // digits alone would be a number
	}
	if dirty != "" {
		local = append(local, "dirty")
	}
	text := number
	if stage != "" {
		text += map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[stage] + stageNumber
	}
	if commits != "" {
		text += ".post" + commits
	}
	if len(local) > 0 {
		text += "+" + strings.Join(local, ".")
	}
	return text, nil
}
