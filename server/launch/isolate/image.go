package isolate

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
)

// images are the usual images for programs that run bots, with the registry's name, since podman
// may ask for it otherwise. Their tags move with the languages' releases.
var images = map[string]string{
	"python": pythonImage, "python3": pythonImage,
	"node": "docker.io/library/node:lts-slim",
	"java": "docker.io/library/eclipse-temurin:21-jre",
}

const (
	pythonImage = "docker.io/library/python:3-slim"

	// plainImage runs compiled programs. It has a C library like that of most machines.
	plainImage = "docker.io/library/debian:stable-slim"
)

// imageFor returns the image for a program.
func (r *Runtime) imageFor(program string) string {
	switch {
	case r.opts.Image != AutoImage:
		return r.opts.Image
	case images[program] != "":
		return images[program]
	}
	return plainImage
}

// wantImage returns an error unless a container runtime has an image. It is not fetched here: that
// takes minutes, and whether a match goes online is for the user to say.
func (r *Runtime) wantImage(ctx context.Context, image string) error {
	if r.images[image] {
		return nil
	}
	_, err := output(ctx, r.program, "image", "inspect", "--format", "{{.Id}}", image)
	if err != nil {
		err = fmt.Errorf("there is no image %s here: run %q once, or name another with --isolate-image",
			image, r.program+" pull "+image)
	}
	r.images[image] = err == nil // one that is missing may be there when it is asked for again
	return err
}

// Missing returns the commands that fetch the images which some bots need and which are not
// here. No bot needs the program called unused. The error says why no bot can be isolated.
func (r *Runtime) Missing(ctx context.Context, unused string) (commands []string, err error) {
	if runtime.GOOS == "linux" {
		if err := standsAlone(); err != nil {
			return nil, err
		}
	}
	wanted := map[string]bool{r.imageFor(""): true}
	for program := range images {
		if program != unused {
			wanted[r.imageFor(program)] = true
		}
	}
	for _, image := range slices.Sorted(maps.Keys(wanted)) {
		if r.wantImage(ctx, image) != nil {
			commands = append(commands, r.program+" pull "+image)
		}
	}
	return commands, nil
}
