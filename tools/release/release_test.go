package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// root is the top of the repository.
const root = "../.."

// testVersion is that of the releases in tests; Python writes it in another way.
const testVersion, testPep440 = "v1.2.3-rc.1", "1.2.3rc1"

// releases are two releases for this machine's processor, made once for all tests in different
// places.
var releases = sync.OnceValues(func() (dirs [2]string, err error) {
	tool := filepath.Join(work, "tool")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		return dirs, fmt.Errorf("go build: %w\n%s", err, out)
	}
	top, err := filepath.Abs(root)
	if err != nil {
		return dirs, err
	}
	for i, zone := range []string{"Asia/Kathmandu", "UTC"} {
		dirs[i] = filepath.Join(work, zone)
		temporary := filepath.Join(work, fmt.Sprintf("temporary%d", i))
		if err := os.Mkdir(temporary, 0o700); err != nil {
			return dirs, err
		}
		cmd := exec.Command(tool, "-root", top, "-out", dirs[i], "-version", testVersion, "-targets",
			"linux/"+runtime.GOARCH)
		cmd.Dir = temporary
		cmd.Env = append(os.Environ(), "TZ="+zone, "TMPDIR="+temporary)
		if out, err := cmd.CombinedOutput(); err != nil {
			return dirs, fmt.Errorf("release: %w\n%s", err, out)
		}
	}
	return dirs, nil
})

// work is a folder for all tests.
var work string

func TestMain(m *testing.M) {
	var err error
	if work, err = os.MkdirTemp("", "hexarena-release-test"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(work)
	os.Exit(code)
}

// made returns the path of a file of the release whose name has that end.
func made(t *testing.T, end string) string {
	t.Helper()
	dirs, err := releases()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dirs[0], "*"+end))
	if err != nil || len(files) != 1 {
		t.Fatalf("files that end in %s: %q, %v; want one", end, files, err)
	}
	return files[0]
}

// output returns what a command prints; it has to succeed.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", cmd, err, out, stderr.Bytes())
	}
	return string(out)
}

// unpack unpacks the archive into a folder, and returns the one that is in it.
func unpack(t *testing.T, dir string) string {
	t.Helper()
	output(t, exec.Command("tar", "-xzf", made(t, ".tar.gz"), "-C", dir))
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the archive has %v at its top, %v; want a folder", entries, err)
	}
	return filepath.Join(dir, entries[0].Name())
}

func unpackedProgram(t *testing.T) []byte {
	t.Helper()
	program, err := os.ReadFile(filepath.Join(unpack(t, t.TempDir()), "hexarena"))
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestReleasesAreReproducible(t *testing.T) {
	dirs, err := releases()
	if err != nil {
		t.Fatal(err)
	}
	output(t, exec.Command("diff", "-r", dirs[0], dirs[1]))
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = dirs[1]
	entries, err := os.ReadDir(dirs[1])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(output(t, check), ": OK\n"), len(entries)-1; got != want {
		t.Errorf("SHA256SUMS has %d files; want %d", got, want)
	}
}

// The bill of materials follows its schema, and has what the program and its page consist of.
func TestBillOfMaterials(t *testing.T) {
	text, err := os.ReadFile(made(t, ".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	bom, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := cyclonedxSchema(t).Validate(bom); err != nil {
		t.Error(err)
	}
	var list struct{ Components []struct{ Purl string } }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list.Components {
		got = append(got, c.Purl)
	}
	program := filepath.Join(t.TempDir(), "hexarena")
	if err := os.WriteFile(program, unpackedProgram(t), 0o600); err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(output(t, exec.Command("go", "version", "-m", program))) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); fields[0] == "dep" {
			want = append(want, goPackage(fields[1], fields[2]))
		}
	}
	if len(want) < 20 {
		t.Fatalf("go version -m has %d modules", len(want))
	}
	for _, name := range []string{"preact", "uplot", "uqr", "%40codemirror/state"} {
		if !slices.ContainsFunc(got, func(p string) bool { return strings.HasPrefix(p, "pkg:npm/"+name+"@") }) {
			t.Errorf("the bill of materials has no %s", name)
		}
	}
	goVersion := strings.TrimSpace(output(t, exec.Command("go", "list", "-m", "-f", "{{.GoVersion}}")))
	for _, purl := range append(want, "pkg:golang/std@"+goVersion) {
		if !slices.Contains(got, purl) {
			t.Errorf("the bill of materials has no %s", purl)
		}
	}
	lock, err := os.ReadFile("../../server/web/page/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	inPage, err := bundled(lock)
	if err != nil {
		t.Fatal(err)
	}
	if extra := len(got) - len(want) - len(inPage) - 1; extra != 0 {
		t.Errorf("%d components are neither modules nor Go nor in the page: %q", extra, got)
	}
}

// cyclonedxSchema returns the schema, which comes with the module that writes the format.
func cyclonedxSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir := strings.TrimSpace(
		output(t,
			exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go")),
	)
	const site = "http://cyclonedx.org/schema/"
	c := jsonschema.NewCompiler()
	for name, file := range map[string]string{
		"bom-1.6.schema.json": "bom-1.6.schema.json", "spdx.schema.json": "spdx.schema.json",
		"jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		data, err1 := os.ReadFile(filepath.Join(dir, "schema", file))
		schema, err2 := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err := errors.Join(err1, err2, c.AddResource(site+name, schema)); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(site + "bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The text in archives and in the wheel leads to pages that exist.
func TestReadmeLinks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := readReadme(text, "COMMIT")
	if err != nil {
		t.Fatal(err)
	}
	got := string(r.with(archiveStart))
	links := 0
	for _, part := range strings.Split(got, "](")[1:] {
		link, _, _ := strings.Cut(part, ")")
		page, ok := strings.CutPrefix(link, home+"/blob/COMMIT/")
		if !ok {
			t.Errorf("%s does not lead to the commit", link)
			continue
		}
		links++
		page, _, _ = strings.Cut(page, "#")
		if _, err := os.Stat(filepath.Join(root, page)); err != nil {
			t.Errorf("%s: %v", link, err)
		}
	}
	if links < 10 || strings.Contains(got, "<picture>") || strings.Contains(got, "git clone") {
		t.Errorf("%d links in:\n%s", links, got)
	}
}

func TestRefusals(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "other"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]options{
		`target "plan9/amd64" is not one of darwin/amd64 darwin/arm64 linux/amd64`: {version: "v1.2.3", targets: "linux/amd64 plan9/amd64"},
		"no target":                  {version: "v1.2.3"},
		`version "1.x" is not like`:  {version: "1.x", targets: "linux/amd64"},
		full + " is not empty":       {version: "v1.2.3", targets: "linux/amd64", out: full},
		"SOURCE_DATE_EPOCH is \"x\"": {version: "v1.2.3", targets: "linux/amd64", out: "epoch"},
	} {
		t.Run(want, func(t *testing.T) {
			if o.out == "epoch" {
				t.Setenv("SOURCE_DATE_EPOCH", "x")
			}
			o.root = root
			if err := run(t.Context(), o, t.Output()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v; want %s", o, err, want)
			}
		})
	}
}

// A program that is too large is no release.
func TestProgramsAreSmall(t *testing.T) {
	one := target{"linux", runtime.GOARCH}
	if err := checkSize(one, maxProgram+1); err == nil ||
		!strings.Contains(err.Error(), one.String()) {
		t.Errorf("a program of more than %d bytes: %v, want an error that names the system", maxProgram,
			err)
	}
	if err := checkSize(one, maxProgram); err != nil {
		t.Error(err)
	}
	made(t, "SHA256SUMS") // of programs that were small enough
}
