package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	dockerspec "github.com/moby/docker-image-spec/specs-go/v1"
)

// The archives of all systems are in one archive, in the folder where an event looks for them, and
// in the image for events.
func TestBinariesForEvents(t *testing.T) {
	one := made(t, ".tar.gz")
	want, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	name := binariesDir + filepath.Base(one)
	z, err := zip.OpenReader(made(t, "-binaries.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open(name)
	if err != nil || len(z.File) != 1 {
		t.Fatalf("%s in %d files: %v", name, len(z.File), err)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s in the archive differs from %s: %v", name, one, err)
	}
	if got := inLayers(t, made(t, "-event-image.tar"), name); !bytes.Equal(got, want) {
		t.Errorf("the image has %d bytes of %s, want %d", len(got), name, len(want))
	}
	plain, err := filepath.Glob(filepath.Join(filepath.Dir(one), "hexarena-"+testVersion+"-image.tar"))
	if err != nil || len(plain) != 1 {
		t.Fatalf("the image without programs of others is %q, %v", plain, err)
	}
	if got := inLayers(t, plain[0], name); got != nil {
		t.Errorf("the image for others has %s", name)
	}
	for _, image := range []string{plain[0], made(t, "-event-image.tar")} {
		if program := inLayers(t, image, "hexarena"); !bytes.Equal(program, unpackedProgram(t)) {
			t.Errorf("%s has another program than the archive", image)
		}
	}
	usual, event := configuration(t, plain[0]), configuration(t, made(t, "-event-image.tar"))
	if !reflect.DeepEqual(usual, event) || !slices.Equal(event.Entrypoint, []string{"/hexarena"}) ||
		event.Healthcheck == nil {
		t.Errorf("the image for events is configured as %+v, want %+v", event, usual)
	}
}

// configuration returns the configuration of the image in an archive, which its processors share.
func configuration(t *testing.T, image string) (c dockerspec.DockerOCIImageConfig) {
	t.Helper()
	file, err := os.Open(image)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for blobs := tar.NewReader(file); ; {
		if _, err := blobs.Next(); err != nil {
			t.Fatalf("%s has no configuration: %v", image, err)
		}
		var described dockerspec.DockerOCIImage
		if json.NewDecoder(blobs).Decode(&described) == nil && described.RootFS.Type != "" {
			return described.Config
		}
	}
}

// inLayers returns a file of the image in an archive, nil if it has none.
func inLayers(t *testing.T, image, name string) (found []byte) {
	t.Helper()
	file, err := os.Open(image)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for blobs := tar.NewReader(file); ; {
		blob, err := blobs.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		layer, err := gzip.NewReader(blobs)
		if path.Dir(blob.Name) != "blobs/sha256" || err != nil {
			continue // a description
		}
		for files := tar.NewReader(layer); ; {
			f, err := files.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Name != name {
				continue
			}
			if found, err = io.ReadAll(files); err != nil {
				t.Fatal(err)
			}
		}
	}
}
