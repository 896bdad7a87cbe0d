//go:build unix

package main

import (
	"archive/zip"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A course's folder, and the archive that its platform hands out, have a line for each submission,
// also for those that cannot be started. The second time nothing is played again.
func TestExamOfCourse(t *testing.T) {
	thorough.Full(t)
	programs := t.TempDir()
	if err := os.Symlink(command(t).Path, filepath.Join(programs, "hexarena")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PROGRAMS", programs)
	if err := os.Mkdir("all", 0o755); err != nil {
		t.Fatal(err)
	}
	writeBot(t, "all", "ann", `exec "$PROGRAMS/hexarena" bot hunter --host "$BOT_HOST" --port "$BOT_PORT" --nickname "$BOT_NICKNAME" --seed "$BOT_SEED"`)
	writeBot(t, "all", "bob", "echo it cannot go on; exit 3")
	if err := os.Rename("all/bob/main", "all/bob/my_bot"); err != nil {
		t.Fatal(err)
	}
	writeText(t, "all/eve/notes.txt", "no bot")
	writeText(t, "exam.yaml",
		"turns: 5\nmaps: pebble\nseeds: 1\nenv: PROGRAMS\nstart-timeout: 1m\nmarks: {random: 50%}\n")
	zipped(t, "all.zip", "all")
	for _, source := range []string{"all", "all.zip"} {
		for i, want := range []string{"begins in cups", "this cup is over"} {
			code, stdout, stderr := runCup(source, "--exam", "exam.yaml", "--csv", "--jobs", "1024")
			rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
			if code != exitUndecided || err != nil || len(rows) != 4 || !strings.Contains(stderr, want) ||
				!strings.Contains(stderr, "not examined: 1 of 3, which have no score: eve") {
				t.Fatalf("%s, command %d: exit code %d, %v\n%s\n%s", source, i, code, err, stdout, stderr)
			}
			if n := strings.Count(stderr, "warning: 2048 bots run at once on "); n != 1 {
				t.Errorf("%s: %d warnings of too few cores, want one\n%s", source, n, stderr)
			}
			for i, want := range [][2]string{
				{"ann true", ""},
				{"bob false", "it cannot go on"},
				{"eve false", source + "/eve has no file main.*"},
			} {
				if row := rows[i+1]; row[0]+" "+row[1] != want[0] || !strings.Contains(row[3], want[1]) ||
					row[3] == "" != (want[1] == "") {
					t.Errorf("%s: %q, want %q", source, row, want)
				}
			}
		}
	}
}

// Submissions whose names are not UTF-8 have results of their own, from a folder and from an
// archive.
func TestExamOfOldNames(t *testing.T) {
	thorough.Full(t)
	programs := t.TempDir()
	if err := os.Symlink(command(t).Path, filepath.Join(programs, "hexarena")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PROGRAMS", programs)
	if err := os.Mkdir("all", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"K\xf6nig", "K\x94nig", "ann"} {
		writeBot(t, "all", name, `exec "$PROGRAMS/hexarena" bot hunter --host "$BOT_HOST" --port "$BOT_PORT" --nickname "$BOT_NICKNAME" --seed "$BOT_SEED"`)
	}
	writeText(t, "exam.yaml",
		"turns: 5\nmaps: pebble\nseeds: 1\nenv: PROGRAMS\nstart-timeout: 1m\nmarks: {random: 1%}\n")
	zipped(t, "all.zip", "all")
	for _, source := range []string{"all", "all.zip"} {
		code, stdout, stderr := runCup(source, "--exam", "exam.yaml", "--csv")
		first, second := strings.Contains(stdout, "\r\nKönig,true,"), strings.Contains(stdout, "\r\nKönig#2,true,")
		if code != 0 || !strings.HasPrefix(stdout, "submission,passed,random (mark 1),remark,folder,") ||
			!first || !second {
			t.Errorf("%s: exit code %d\n%s\n%s", source, code, stdout, stderr)
		}
	}
	code, stdout, stderr := runCup("all", "--csv", "--seats", "2", "--count", "6", "--turns", "5",
		"--maps", "pebble", "--env", "PROGRAMS", "--start-timeout", "1m")
	if code != 0 || !strings.Contains(stdout, "König,") || !strings.Contains(stdout, "König#2,") {
		t.Errorf("a cup: exit code %d\n%s\n%s", code, stdout, stderr)
	}
}

// zipped writes an archive of a folder.
func zipped(t *testing.T, name, dir string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		h, err := zip.FileInfoHeader(info)
		if err != nil {
			return err
		}
		h.Name = filepath.ToSlash(path)
		out, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
