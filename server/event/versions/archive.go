package versions

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/event/state"
)

// Archive returns a version as it was sent: its file if it has one alone, else a zip archive of its
// files; and the name of what is returned. Files of the kit that were added to it are left out.
func (s *Store) Archive(v state.Upload) (name string, content []byte, err error) {
	root, err := os.OpenRoot(filepath.Join(s.dir, v.Digest))
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	files := map[string][]byte{}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := root.ReadFile(path)
		if !ofKit(v.File, path, text) {
			files[path] = text
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	if text, found := files[v.File]; found && len(files) == 1 {
		return filepath.Base(v.File), text, nil
	}
	content, err = zipped(files)
	return "version-" + v.Digest + ".zip", content, err
}

// ofKit reports whether a file beside a bot is one of the bot's kit, unchanged.
func ofKit(bot, path string, text []byte) bool {
	kit := kits.Of(bot)
	return kit != nil && slices.Contains(kit.Library, path) && bytes.Equal(kit.File(path), text)
}

// zipped returns files as an archive.
func zipped(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(path)
		if err == nil {
			_, err = w.Write(files[path])
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
