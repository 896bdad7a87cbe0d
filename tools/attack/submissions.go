//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/tools/harness"
)

const (
	bombMiB = 2200 // more than all submissions may have together
	// lie is the compressed size that the bomb's directory says: not a hundredth of what it unpacks
	// to.
	lie = 0xfffffff0
)

// examSubmissions examines a course, one of whose submissions is a bomb that lies about its
// size.
func examSubmissions(o *options, ctx context.Context, a attack) (r row, err error) {
	r.attack = a
	dir, err := os.MkdirTemp(o.Dir, "submissions-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	honest, err := zipOf(
		"main.sh",
		func(w *zip.Writer, name string) error {
			return addFile(w, name,
				fmt.Sprintf(paints, o.Hexarena))
		},
	)
	if err != nil {
		return r, err
	}
	bomb, err := zipOf("zeros", addBomb)
	if err != nil {
		return r, err
	}
	all, err := zipOf("", func(w *zip.Writer, _ string) error {
		return errors.Join(addFile(w, "anna.zip", honest), addFile(w, "bert.zip", bomb),
			addFile(w, "carla.zip", honest))
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "course.zip"), []byte(all), 0o600)
	}
	exam := filepath.Join(dir, "exam.yaml")
	if err == nil {
		err = os.WriteFile(exam, []byte("turns: 5\nmaps: [lagoon]\nseeds: 1-1\nmarks:\n  random: 10%\n"),
			0o600)
	}
	if err != nil {
		return r, err
	}
	p, err := o.start(ctx, servedOn, o.Hexarena, "cup", filepath.Join(dir, "course.zip"),
		"--exam", exam, "--csv", "--out", filepath.Join(dir, "cup"))
	if err != nil {
		return r, err
	}
	var lines []string
	for line, err := p.Line(); err == nil; line, err = p.Line() {
		r.peak = max(r.peak, int64(harness.Peak(p.ID())))
		lines = append(lines, string(line))
		r.tally.Requests++
	}
	for _, name := range []string{"anna.zip", "carla.zip"} {
		if !strings.Contains(strings.Join(lines, "\n"), "\n"+name+",true,") {
			r.fault("%s does not pass beside a bomb: %.500q", name, lines)
		}
	}
	r.judge(0)
	return r, nil
}

// zipOf returns an archive with what add adds.
func zipOf(name string, add func(w *zip.Writer, name string) error) (string, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := errors.Join(add(w, name), w.Close())
	return b.String(), err
}

func addFile(w *zip.Writer, name, text string) error {
	h := &zip.FileHeader{Name: name, Method: zip.Store}
	h.SetMode(0o755)
	f, err := w.CreateHeader(h)
	if err == nil {
		_, err = io.WriteString(f, text)
	}
	return err
}

// addBomb adds a file of zeros.
func addBomb(w *zip.Writer, name string) error {
	var part, end bytes.Buffer
	zeros := make([]byte, 1<<20)
	z, err := flate.NewWriter(&part, flate.BestCompression)
	if err != nil {
		return err
	}
	if _, err = z.Write(zeros); err == nil {
		err = z.Flush() // the next part begins anew, so that this one can be repeated
	}
	z.Reset(&end)
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	for range bombMiB {
		_, _ = sum.Write(zeros) // it never fails
	}
	f, err := w.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: sum.Sum32(),
		CompressedSize64: lie, UncompressedSize64: bombMiB << 20,
	})
	if err == nil {
		_, err = io.WriteString(f, strings.Repeat(part.String(), bombMiB)+end.String())
	}
	return err
}
