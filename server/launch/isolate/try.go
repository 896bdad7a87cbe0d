package isolate

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// Try starts a container as a bot gets it, and returns why that fails: a runtime may answer, and be
// unable to start any. It returns nil if there is no image to start one from.
func (r *Runtime) Try(ctx context.Context) error {
	image := r.someImage(ctx)
	if image == "" {
		return nil
	}
	s, err := r.Open(true)
	if err != nil {
		return err
	}
	defer s.Close()
	// On Linux this program is the first process, and ends at once.
	run, cleanup, err := r.command(s,
		&started{content: content{argv: []string{"true"}}, stdio: true, tried: image})
	if err != nil {
		return err
	}
	if _, err = output(ctx, run...); err != nil {
		_, _ = output(context.WithoutCancel(ctx), cleanup...) // which may be gone
		return MachineError{fmt.Errorf("no container can be started: %w", err)}
	}
	return nil
}

// someImage returns one of the images that bots get which is here, "" if none is.
func (r *Runtime) someImage(ctx context.Context) string {
	for _, program := range append([]string{""}, slices.Sorted(maps.Keys(images))...) {
		if image := r.imageFor(program); r.wantImage(ctx, image) == nil {
			return image
		}
	}
	return ""
}
