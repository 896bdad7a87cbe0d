package kits

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Imported returns the names of the files beside a bot that its source uses, without those of the
// kit. dir need not have the bot itself.
func (k *Kit) Imported(dir, bot string, source []byte) (used []string, err error) {
	names, err := k.named(dir, bot, source)
	for _, name := range names {
		if filepath.Ext(name) == "" {
			name += k.Extension
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && name != filepath.Base(bot) &&
			!slices.Contains(k.Library, name) && !slices.Contains(used, name) {
			used = append(used, name)
		}
	}
	return used, err
}

// named returns what may be names of files that a source uses.
func (k *Kit) named(dir, bot string, source []byte) (names []string, err error) {
	if k.Imports == nil {
		paths, err := k.sources(filepath.Join(dir, filepath.Base(bot)))
		for _, path := range paths {
			names = append(names, filepath.Base(path))
		}
		return names, err
	}
	for _, match := range k.Imports.FindAllSubmatch(source, -1) {
		for _, group := range match[1:] {
			names = append(names, strings.FieldsFunc(string(group), func(r rune) bool {
				return strings.ContainsRune(", \t", r)
			})...)
		}
	}
	return names, nil
}
