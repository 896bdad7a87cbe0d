package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestPEP440(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3":                    "1.2.3",
		"1.2.3":                     "1.2.3",
		"v1.2":                      "1.2",
		"v1.2.3-rc.1":               "1.2.3rc1",
		"v1.2.3-beta2":              "1.2.3b2",
		"v1.2.3-alpha.2-dirty":      "1.2.3a2+dirty",
		"v1.2.3-14-g2f0e9b1":        "1.2.3.post14+g2f0e9b1",
		"v1.2.3-rc.1-14-g2f0e9b1":   "1.2.3rc1.post14+g2f0e9b1",
		"0e0855d1":                  "0+g0e0855d1",
		"00855d17-dirty":            "0+g00855d17.dirty",
		"dev":                       "0+dev",
		"":                          "",
		"main":                      "",
		"v1.2.3-preview":            "",
		"v1.2.3\nName: other":       "",
		"v1.2.3-rc.1-14-g2f0e9b1-x": "",
	} {
		got, err := pep440(version)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("pep440(%q) = %q, %v; want %q", version, got, err, want)
		}
	}
}

// Every file of the wheel is in its list, with its hash, and its name has the tags that it names
// inside.
func TestWheelRecord(t *testing.T) {
	name := made(t, ".whl")
	files := unzip(t, name)
	info := "hexarena-" + testPep440 + ".dist-info/"
	record := strings.Split(strings.TrimSpace(string(files[info+"RECORD"])), "\n")
	for _, line := range record {
		fields := strings.Split(line, ",")
		data, ok := files[fields[0]]
		delete(files, fields[0])
		want := fmt.Sprintf("sha256=%s,%d", base64.RawURLEncoding.EncodeToString(sum(data)), len(data))
		if fields[0] == info+"RECORD" {
			want = ","
		}
		if got := strings.Join(fields[1:], ","); !ok || got != want {
			t.Errorf("RECORD has %q; want %s", line, want)
		}
	}
	if len(files) > 0 || len(record) != 8 {
		t.Errorf("RECORD has %d files, and lacks %d", len(record), len(files))
	}
	stem, _ := strings.CutSuffix(path.Base(name), ".whl")
	parts := strings.Split(stem, "-")
	if len(parts) != 5 || parts[0] != "hexarena" || parts[1] != testPep440 {
		t.Fatalf("the wheel's name is %s", name)
	}
	var want []string
	for _, platform := range strings.Split(parts[4], ".") {
		want = append(want, "Tag: py3-none-"+platform)
	}
	var got []string
	for _, line := range strings.Split(string(unzip(t, name)[info+"WHEEL"]), "\n") {
		if strings.HasPrefix(line, "Tag: ") {
			got = append(got, line)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the wheel has %q; want %q", got, want)
	}
}

func sum(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

// unzip returns the files of an archive.
func unzip(t *testing.T, name string) map[string][]byte {
	t.Helper()
	archive, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// On Windows the program has its ending, and the archive is one that the system unpacks.
func TestWindows(t *testing.T) {
	src, err := readSource(t.Context(), root, testVersion)
	if err != nil {
		t.Fatal(err)
	}
	// whichever system that is for
	p, err := src.program(target{"windows", "arm64"}, unpackedProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	dist, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pack(dist, p); err != nil {
		t.Fatal(err)
	}
	wheel := "hexarena-" + testPep440 + "-py3-none-win_arm64.whl"
	if want := []string{"hexarena-" + testVersion + "-windows-arm64.cdx.json", "hexarena-" + testVersion + "-windows-arm64.zip", wheel}; !slices.Equal(dist.names, want) {
		t.Errorf("files %q; want %q", dist.names, want)
	}
	for file, program := range map[string]string{
		dist.names[1]: "hexarena-" + testVersion + "-windows-arm64/hexarena.exe",
		wheel:         "hexarena-" + testPep440 + ".data/scripts/hexarena.exe",
	} {
		if !bytes.Equal(unzip(t, path.Join(dist.path, file))[program], p.binary) {
			t.Errorf("%s does not have the program as %q", file, program)
		}
	}
}
