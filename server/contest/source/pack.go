package source

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// Pack returns the copy of bot i of a plan, in the folder of its cup, as a compressed archive.
func Pack(dir string, p *plan.Plan, i int) ([]byte, error) {
	packed, _, err := PackFolder(copyIn(dir, p, i))
	return packed, err
}

// PackFolder returns the files of a bot in a folder as a compressed archive, and the digest that
// they have in plans.
func PackFolder(dir string) (packed []byte, d plan.Digest, err error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, d, err
	}
	defer t.close()
	if d, err = t.digest(); err != nil {
		return nil, d, err
	}
	packed, err = t.pack()
	return packed, d, err
}

// pack returns the files as a compressed archive.
func (t *tree) pack() ([]byte, error) {
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, name := range t.files {
		if err := t.read(name, func(f io.Reader, info fs.FileInfo) error {
			head := &tar.Header{
				Typeflag: tar.TypeReg, Name: name, Mode: int64(info.Mode().Perm()), Size: info.Size(),
			}
			if err := w.WriteHeader(head); err != nil {
				return err
			}
			_, err := io.CopyN(w, f, info.Size())
			return err
		}); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), z.Close())
	return packed.Bytes(), err
}

// HasCopy reports whether a folder has the copy of bot i of a plan, unchanged.
func HasCopy(dir string, p *plan.Plan, i int) bool {
	d, err := digestOf(copyIn(dir, p, i))
	return err == nil && d == p.Bots[i].Digest
}

// Unpack writes the copy of bot i of a plan, which [Pack] returned on another machine, to the
// folder dir. It returns an error unless the files have the digest that the plan says.
func Unpack(packed []byte, dir string, p *plan.Plan, i int) error {
	copied := copyIn(dir, p, i)
	if err := os.RemoveAll(copied); err != nil {
		return err
	}
	to, err := makeRoot(copied)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := unpackTo(to, packed); err != nil {
		return fmt.Errorf("bot %s: %w", p.Bots[i].Name, err)
	}
	if err := share(copied); err != nil {
		return err
	}
	if !HasCopy(dir, p, i) {
		return fmt.Errorf("bot %s: the files are not those of the plan, whose digest is %s",
			p.Bots[i].Name, p.Bots[i].Digest)
	}
	return nil
}

// unpackTo writes the files of an archive below a folder.
func unpackTo(to *os.Root, packed []byte) error {
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(maxBytes))
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = untar(to, z, false)
	return err
}
