package cup

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/seat"
)

// Portable returns an error that names the bots which other machines cannot start: commands and
// addresses, of which the folder of the cup has no copies.
func (c *Contest) Portable() error {
	var wrong []error
	for i := range c.Entrants {
		if e := &c.Entrants[i]; e.spec.Kind != seat.Builtin && e.source == "" {
			wrong = append(
				wrong,
				fmt.Errorf("%s: workers get files and folders, not what a command line or an address names; "+
					"put the bot into a folder with a file main.* and name that", e.Seat),
			)
		}
	}
	if c.Logic != nil {
		wrong = append(wrong,
			fmt.Errorf("%s: workers cannot start a game logic; leave --workers out", c.Logic.Seat))
	}
	return errors.Join(wrong...)
}

// Copied reports whether bot i has a copy in the folder of the cup.
func (c *Contest) Copied(i int) bool { return c.Entrants[i].source != "" }

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
			if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(info.Mode().Perm()), Size: info.Size()}); err != nil {
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

// unpackTo writes the files of an archive below a folder, up to as many and as large ones as a bot
// may have.
func unpackTo(to *os.Root, packed []byte) error {
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(maxBytes))
	if err != nil {
		return err
	}
	defer z.Close()
	var bytes int64
	for files, r := 0, tar.NewReader(z); ; files++ {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if bytes += h.Size; h.Typeflag != tar.TypeReg || files == maxFiles || bytes > maxBytes {
			return fmt.Errorf("%.80q is no file, or the archive has more than %d files or %d bytes", h.Name,
				maxFiles, maxBytes)
		}
		f, err := createIn(to, h.Name, os.O_EXCL, fs.FileMode(h.Mode))
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}

// EnterCopies returns the bots of a plan, those that are files as copies in the folder dir.
func EnterCopies(
	ctx context.Context, dir string, p *plan.Plan, known seat.Known,
) ([]Entrant, error) {
	list := make([]Entrant, len(p.Bots))
	for i := range p.Bots {
		e, err := EnterCopy(ctx, dir, p, i, known)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	return list, nil
}

// EnterCopy returns bot i of a plan: a file as its copy in the folder dir, and a command only if
// the files that it names are those of the plan.
func EnterCopy(
	ctx context.Context, dir string, p *plan.Plan, i int, known seat.Known,
) (Entrant, error) {
	return enterCopy(ctx, copyIn(dir, p, i), &p.Bots[i], known)
}

// EnterLogicCopy returns the game logic of a plan, as EnterCopy returns a bot.
func EnterLogicCopy(ctx context.Context, dir string, p *plan.Plan) (Entrant, error) {
	copied := filepath.Join(dir, logicDir, copyNames([]plan.Bot{*p.Logic})[0])
	return enterCopy(ctx, copied, p.Logic, knownLogic)
}

func enterCopy(ctx context.Context, copied string, b *plan.Bot, known seat.Known) (Entrant, error) {
	spec, err := restart(ctx, copied, b, known)
	if err != nil {
		return Entrant{}, err
	}
	e := Entrant{Bot: *b, spec: spec}
	e.spec.Label = b.Name
	if spec.Kind == seat.Builtin {
		return e, nil
	}
	if d, err := digestOf(copied); err == nil && d == b.Digest {
		e.source = copied
		return e, nil
	}
	if err := e.sum(); err != nil || e.Digest != b.Digest {
		return Entrant{}, fmt.Errorf("bot %s: its files are not those of the cup, which %s should have",
			b.Name, copied)
	}
	return e, nil
}
