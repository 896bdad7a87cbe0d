package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// withKit copies a bot that uses a kit together with the kit, so that the kit is part of the bot's
// digest: a file comes alone otherwise, and a folder may lack the kit. The kit is the one beside
// the bot, as git has it if the bot is of a revision, or else the one of this program.
func (e *Entrant) withKit(ctx context.Context, rev revision, scratch string) error {
	k := kits.Of(e.start)
	if k == nil {
		return nil
	}
	text, err := disk.ReadFile(disk.Or(nil), e.start)
	if err != nil {
		return nil // what cannot be read is an error when it is copied
	}
	beside := filepath.Dir(e.start)
	if e.source == e.start {
		in := beside
		if rev.name != "" {
			in = filepath.Dir(rev.name)
		}
		if used, err := k.Imported(in, e.start, text); err == nil && len(used) > 0 {
			return fmt.Errorf("%s uses %s beside it, but a file comes alone: put them into a folder, in "+
				"which the bot is called bot%s, and name that", e.Seat, strings.Join(used, ", "), k.Extension)
		}
	}
	if !k.Uses.Match(text) {
		return nil
	}
	if e.source != e.start {
		if _, err := os.Stat(filepath.Join(beside, k.Library[0])); err == nil {
			return nil // the folder has it
		}
	}
	to := filepath.Join(scratch, "with-kit")
	t, err := openTree(e.source)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.copyTo(to); err != nil {
		return err
	}
	for _, name := range k.Library {
		if rev.name != "" && e.source == e.start {
			// An error means that the revision has no such file.
			_, _, _ = checkOut(ctx, rev.beside(name), scratch)
		}
		content, err := disk.ReadFile(disk.Or(nil), filepath.Join(beside, name))
		if errors.Is(err, fs.ErrNotExist) {
			content, err = k.File(name), nil
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	e.source, e.start = to, filepath.Join(to, filepath.Base(e.start))
	return nil
}
