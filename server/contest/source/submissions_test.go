package source

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// entry is one of an archive.
type entry struct {
	name, text string
	mode       fs.FileMode
}

// archive returns a zip archive.
func archive(t *testing.T, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		out, err := w.CreateHeader(h)
		if err == nil {
			_, err = out.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// list lists the submissions in a file, a line each: the name, the path below its folder or what is
// wrong.
func list(t *testing.T, name, text string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := Submissions(path, filepath.Join(dir, "scratch"))
	var b strings.Builder
	for _, s := range all {
		if s.Problem != nil {
			fmt.Fprintf(&b, "%s: %v\n", s.Name, s.Problem)
			continue
		}
		rel, err := filepath.Rel(filepath.Join(dir, "scratch"), s.Path)
		if err != nil || strings.HasPrefix(rel, "..") {
			t.Errorf("%s is unpacked to %s", s.Name, s.Path)
		}
		_, below, _ := strings.Cut(filepath.ToSlash(rel), "/")
		fmt.Fprintf(&b, "%s: %s\n", s.Name, below)
	}
	if outside, _ := filepath.Glob(filepath.Join(dir, "*")); len(outside) > 2 {
		t.Errorf("it writes %q", outside)
	}
	return b.String(), err
}

// Submissions are found in whatever a platform has wrapped them.
func TestList(t *testing.T) {
	for _, tt := range []struct {
		name    string
		entries []entry
		want    string
	}{
		{"files", []entry{
			{name: "ann.py"}, {name: "bob.py"}, {name: ".DS_Store"}, {name: "__MACOSX/ann.py"},
		}, "ann.py: ann.py\nbob.py: bob.py\n"},
		{"folders", []entry{
			{name: "ann/main.py"}, {name: "ann/util.py"}, {name: "bob/my_bot.py"},
		}, "ann: ann\nbob: bob\n"},
		{"a folder of all", []entry{
			{name: "all/ann/main.py"}, {name: "all/bob.py"},
		}, "ann: all/ann\nbob.py: all/bob.py\n"},
		{"the only submission", []entry{{name: "ann/main.py"}, {name: "ann/util.py"}}, "ann: ann\n"},
		{"the only submission, with a kit", []entry{
			{name: "ann/"}, {name: "ann/my_bot.py"}, {name: "ann/hexarena.py"},
		}, "ann: ann\n"},
		{"the only submission, with data", []entry{
			{name: "ann/my_bot.py"}, {name: "ann/weights.npz"},
		}, "ann: ann\n"},
		{"a folder of two files", []entry{
			{name: "all/ann.py"}, {name: "all/bob.py"}, {name: "all/hexarena.py"},
		}, "ann.py: all/ann.py\nbob.py: all/bob.py\n"},
		{"a folder of one file", []entry{{name: "all/ann.py"}}, "ann.py: all/ann.py\n"},
		{"a folder in a folder", []entry{
			{name: "ann/bot/src/main.py"}, {name: "bob/x/a.py"}, {name: "bob/x/b.py"},
		}, "ann: ann/bot/src\nbob: bob/x\n"},
		{"archives", []entry{
			{name: "ann/bot.zip", text: archive(t, entry{name: "bot/main.py"})},
			{name: "bob.zip", text: archive(t, entry{name: "main.py"})},
		}, "ann: bot\nbob.zip: \n"},
		{"backslashes", []entry{{name: `ann\main.py`}, {name: `bob\main.py`}}, "ann: ann\nbob: bob\n"},
	} {
		if got, err := list(t, "all.zip", archive(t, tt.entries...)); got != tt.want || err != nil {
			t.Errorf("%s: %v\n%swant\n%s", tt.name, err, got, tt.want)
		}
	}
}

// A submission cannot harm the others: it is refused, or all are.
func TestRefused(t *testing.T) {
	zeros := strings.Repeat("\x00", 2<<20)
	good := entry{name: "good/main.py"}
	for _, tt := range []struct {
		name  string
		wrong []entry
		want  string
	}{
		{"a path outside", []entry{{name: "../../evil.py"}}, "leads out of the archive"},
		{"a path outside from a folder", []entry{{name: "eve/../../evil.py"}}, "eve: all.zip: entry"},
		{"an absolute path", []entry{{name: "/tmp/evil.py"}}, "leads out of the archive"},
		{"a deep path", []entry{{name: strings.Repeat("x/", 40) + "main.py"}}, "too long"},
		{"a link", []entry{
			{name: "eve/main.py", text: "/etc/passwd", mode: fs.ModeSymlink},
		}, "a link or a device"},
		{"a device", []entry{{name: "eve/main.py", mode: fs.ModeDevice}}, "a link or a device"},
		{"twice", []entry{{name: "eve/main.py"}, {name: "eve/main.py"}}, "twice"},
		{"zeros", []entry{{name: "eve/main.py", text: zeros}}, "compressed more than 100 times"},
		{"zeros in an archive", []entry{
			{name: "eve/bot.zip", text: archive(t, entry{name: "x", text: zeros})},
		}, "eve: bot.zip: entry \"x\": it is compressed more than"},
		{"no archive", []entry{{name: "eve.zip", text: "PK no"}}, "eve.zip: eve.zip is no zip archive"},
	} {
		got, err := list(t, "all.zip", archive(t, append(tt.wrong, good, entry{name: "good/x"})...))
		if err != nil || !strings.Contains(got, tt.want) || !strings.Contains(got, "good: good\n") {
			t.Errorf("%s: %v\n%swant %q", tt.name, err, got, tt.want)
		}
	}
}

// A submission that holds too much is refused, and the others are not, whatever their order.
func TestTooMuch(t *testing.T) {
	for name, limit := range map[string]func(*unpacker){
		"entries of one": func(u *unpacker) { u.oneEntries = 2 },
		"bytes of one":   func(u *unpacker) { u.oneBytes = 5 },
		"bytes of all":   func(u *unpacker) { u.left = 9 * entryBytes },
	} {
		for _, eve := range []string{"and", "eve"} {
			large := entry{name: eve + "/x", text: "123"}
			entries := []entry{{name: "bob/main.py", text: "123"}, large, {name: "dora.py"}}
			for i := range 6 {
				large.name += "x"
				entries = append(entries, large, entry{name: fmt.Sprint("few", i, ".py")})
			}
			u := newUnpacker(filepath.Join(t.TempDir(), "scratch"))
			limit(u)
			path := filepath.Join(t.TempDir(), "all.zip")
			if err := os.WriteFile(path, []byte(archive(t, entries...)), 0o644); err != nil {
				t.Fatal(err)
			}
			all, err := u.list(path)
			if err != nil || len(all) != 9 {
				t.Fatalf("%s: %+v, %v", name, all, err)
			}
			for _, s := range all {
				if _, err := os.Stat(s.Path); (s.Name == eve) != (s.Problem != nil) ||
					s.Problem == nil && err != nil {
					t.Errorf("%s: %s: %v, %v", name, s.Name, s.Problem, err)
				}
			}
			if _, err := os.Stat(filepath.Join(u.scratch, "0", eve)); err == nil {
				t.Errorf("%s: the files of %s stay", name, eve)
			}
		}
	}
}

// An archive that declares more compressed bytes than it has does not hide how far it is
// compressed.
func TestDeclaredSize(t *testing.T) {
	inner := []byte(archive(t, entry{name: "main.py", text: strings.Repeat("\x00", 4<<20)}))
	at := bytes.LastIndex(inner, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(inner[at+20:], 1<<31)
	got, err := list(
		t, "all.zip",
		archive(t, entry{name: "eve.zip", text: string(inner)}, entry{name: "good/main.py"},
			entry{name: "good/x"}),
	)
	if err != nil || !strings.Contains(got, "eve.zip: eve.zip: entry \"main.py\": it is compressed more than 100 times\ngood: good\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

// A fault in the only folder of an archive is one of its entry there.
func TestWrongInWrapper(t *testing.T) {
	got, err := list(
		t, "all.zip",
		archive(t, entry{name: "all/ann/main.py"}, entry{name: "all/ann/x"},
			entry{name: "all/eve/main.py", mode: fs.ModeSymlink}),
	)
	if err != nil ||
		!strings.HasPrefix(got, "ann: all/ann\neve: all.zip: entry \"all/eve/main.py\": it is a link") {
		t.Errorf("%v\n%s", err, got)
	}
}

// Names that are not UTF-8 are decoded, in archives and in folders, and stay different.
func TestNames(t *testing.T) {
	names := []string{"K\xf6nig.py", "K\x94nig.py", "König.py", "ann.py"}
	want := []string{"König#2.py", "König#3.py", "König.py", "ann.py"}
	var entries []entry
	dir := t.TempDir()
	for _, name := range names {
		entries = append(entries, entry{name: "all/" + name, text: name})
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Skip(err) // this system takes only UTF-8
		}
	}
	file := filepath.Join(t.TempDir(), "all.zip")
	if err := os.WriteFile(file, []byte(archive(t, entries...)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{dir, file} {
		all, err := Submissions(source, filepath.Join(t.TempDir(), "scratch"))
		var got, texts []string
		for _, s := range all {
			text, _ := os.ReadFile(s.Path)
			got, texts = append(got, s.Name), append(texts, string(text))
		}
		slices.Sort(got)
		slices.Sort(want)
		slices.Sort(texts)
		slices.Sort(names)
		if err != nil || !slices.Equal(got, want) || !slices.Equal(texts, names) {
			t.Errorf("%s: %q with %q, %v", source, got, texts, err)
		}
	}
}

// The list of entries of an archive is limited, and an archive without any is refused.
func TestListOfEntries(t *testing.T) {
	thorough.Long(t)
	long := make([]entry, 6_000)
	for i := range long {
		long[i].name = fmt.Sprintf("%03000d", i)
	}
	if _, err := list(t, "all.zip", archive(t, long...)); err == nil ||
		!strings.Contains(err.Error(), "list of entries is too long") {
		t.Errorf("a long list of entries: %v", err)
	}
	if _, err := list(t, "all.zip", archive(t)); err == nil ||
		!strings.Contains(err.Error(), "holds no submissions") {
		t.Errorf("an empty archive: %v", err)
	}
}
