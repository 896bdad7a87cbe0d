package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerui"
	dockerspec "github.com/moby/docker-image-spec/specs-go/v1"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// image is the image of the Dockerfile for several processors, as an archive in OCI's layout. Its
// configuration is read from a stage of the Dockerfile; what that copies to an empty image is
// packed without running anything, so that no base image has to be fetched and the bytes are always
// the same.
type image struct {
	*source
	name      string
	stage     string // of the Dockerfile; "": the last
	blobs     []file
	platforms []ocispec.Descriptor
}

// unprivileged is the user of the Dockerfile.
const unprivileged = 65532

// add adds the image for one processor, with a layer of more files, which all processors share;
// nil: none.
func (i *image) add(p *program, more []file) error {
	platform := &ocispec.Platform{OS: p.target.os, Architecture: p.target.arch}
	files := []file{
		{name: "hexarena", mode: 0o755, data: p.binary},
		// group 0: any user of it may write,
		{name: "recordings/", mode: fs.ModeDir | 0o775, owner: unprivileged},
	}
	var layers []ocispec.Descriptor
	var digests []digest.Digest
	for _, list := range [][]file{files, more} {
		if len(list) == 0 {
			continue
		}
		var layer, packed bytes.Buffer
		err := errors.Join(writeTar(&layer, list, i.time), writeTarGzip(&packed, list, i.time))
		if err != nil {
			return err
		}
		layers = append(layers, i.addBlob(ocispec.MediaTypeImageLayerGzip, packed.Bytes()))
		digests = append(digests, digest.FromBytes(layer.Bytes()))
	}
	config, err := i.config(platform, digests)
	if err != nil {
		return err
	}
	configured, err := i.addJSON(ocispec.MediaTypeImageConfig, config)
	if err != nil {
		return err
	}
	manifest, err := i.addJSON(ocispec.MediaTypeImageManifest, ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		Config: configured,
		Layers: layers,
	})
	manifest.Platform = platform
	i.platforms = append(i.platforms, manifest)
	return err
}

// config returns what the Dockerfile says about the image.
func (i *image) config(
	platform *ocispec.Platform, layers []digest.Digest,
) (*dockerspec.DockerOCIImage, error) {
	text, err := os.ReadFile(filepath.Join(i.root, "Dockerfile"))
	if err != nil {
		return nil, err
	}
	_, config, _, _, err := dockerfile2llb.Dockerfile2LLB(
		context.Background(), text, dockerfile2llb.ConvertOpt{
			MetaResolver: anyImage{}, TargetPlatform: platform,
			Config: dockerui.Config{Target: i.stage},
		},
	)
	if err != nil {
		return nil, fmt.Errorf("Dockerfile: %w", err)
	}
	config.Created = &i.time
	config.Config.Labels = map[string]string{
		ocispec.AnnotationSource: home, ocispec.AnnotationLicenses: "Apache-2.0",
		ocispec.AnnotationVersion: i.version, ocispec.AnnotationRevision: i.commit,
	}
	config.RootFS = ocispec.RootFS{Type: "layers", DiffIDs: layers}
	for range layers {
		config.History = append(config.History,
			ocispec.History{Created: &i.time, Comment: "packed by tools/release"})
	}
	return config, nil
}

// anyImage resolves the base images of the stages that compile: their configuration does not
// matter.
type anyImage struct{}

func (anyImage) ResolveImageConfig(
	_ context.Context, ref string, _ sourceresolver.Opt,
) (string, digest.Digest, []byte, error) {
	config := []byte(`{"architecture":"amd64","os":"linux","config":{}}`)
	return ref, digest.FromBytes(config), config, nil
}

// archive writes the image in the layout of OCI.
func (i *image) archive(w io.Writer) error {
	index, err := i.addJSON(ocispec.MediaTypeImageIndex, ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex,
		Manifests: i.platforms,
	})
	if err != nil {
		return err
	}
	index.Annotations = map[string]string{
		ocispec.AnnotationRefName: i.version,
		// the name that podman and docker load it by
		"io.containerd.image.name": "localhost/" + i.name + ":" + i.version,
	}
	top, err1 := json.Marshal(ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex,
		Manifests: []ocispec.Descriptor{index},
	})
	layout, err2 := json.Marshal(ocispec.ImageLayout{Version: ocispec.ImageLayoutVersion})
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	files := []file{
		{name: ocispec.ImageLayoutFile, mode: 0o644, data: layout},
		{name: ocispec.ImageIndexFile, mode: 0o644, data: top},
	}
	return writeTar(w, append(files, i.blobs...), i.time)
}

// addJSON adds an object, and returns what refers to it.
func (i *image) addJSON(mediaType string, object any) (ocispec.Descriptor, error) {
	data, err := json.Marshal(object)
	return i.addBlob(mediaType, data), err
}

func (i *image) addBlob(mediaType string, data []byte) ocispec.Descriptor {
	sum := digest.FromBytes(data)
	name := "blobs/" + sum.Algorithm().String() + "/" + sum.Encoded()
	if !slices.ContainsFunc(i.blobs, func(f file) bool { return f.name == name }) {
		i.blobs = append(i.blobs, file{name: name, mode: 0o644, data: data})
	}
	return ocispec.Descriptor{MediaType: mediaType, Digest: sum, Size: int64(len(data))}
}
