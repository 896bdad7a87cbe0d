package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/seat"
)

// isMain reports whether a file is the one that a folder of a bot is known by.
func isMain(path string) bool {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.EqualFold(base, "main") || strings.EqualFold(base, "bot")
}

// program returns the file of a folder that is started: the only one called main or bot, whatever
// its extension, that can be run; or else its only file that can.
func program(ctx context.Context, dir string, known seat.Known) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var called, others []string
	var reason error
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.HasPrefix(name, ".") {
			continue
		}
		_, err := seat.Parse(ctx, []string{filepath.Join(dir, name)}, known)
		switch main := isMain(name); {
		case main && err != nil:
			reason = err
		case main:
			called = append(called, name)
		case err == nil:
			others = append(others, name)
		}
	}
	if len(called) == 0 && reason == nil {
		called = others
	}
	// A program comes before the source that it was probably built from.
	if programs := slices.DeleteFunc(slices.Clone(called), func(name string) bool {
		return kits.Compiled(filepath.Join(dir, name)) != nil
	}); len(programs) > 0 {
		called = programs
	}
	switch {
	case len(called) == 1:
		return filepath.Join(dir, called[0]), nil
	case len(called) > 1:
		return "", fmt.Errorf(
			"folder %s has several files to start, %s: leave one, or call one of them main", dir,
			strings.Join(called, ", "))
	case reason != nil:
		return "", fmt.Errorf("folder %s: %w", dir, reason)
	}
	return "", fmt.Errorf("folder %s has no file main.* or bot.* to start", dir)
}

// left are the folders that matches of the command play leave in the folder where it is started.
var left = []string{"bot-logs", "recordings"}

// Bots returns the arguments that name the bots of a folder, one for each entry, and the entries
// that cannot be started: hidden ones, and files that need another program to run.
func Bots(
	ctx context.Context, dir string, known seat.Known,
) (arguments, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name()):
		case entry.IsDir() && slices.Contains(left, entry.Name()):
		case entry.IsDir():
			arguments = append(arguments, path)
		default:
			if _, err := seat.Parse(ctx, []string{path}, known); err != nil {
				others = append(others, path)
				continue
			}
			arguments = append(arguments, path)
		}
	}
	return arguments, others, nil
}
