// Release packs hexarena for people without Go: for each system an archive and a Python wheel, all
// archives in one for the hosts of events, a container image, another one with these archives, a
// bill of materials for each program, the licenses of others, and checksums. The same commit and
// version make the same bytes on every machine.
//
//	go run -C tools/release . -version v1.2.3 -out ../../dist
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// options are the flags of the command.
type options struct {
	root    string // folder of the repository
	out     string // folder that is made, or is empty
	version string // as git describe has it
	targets string // systems as GOOS/GOARCH, separated by spaces
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "`folder` of the repository")
	flag.StringVar(&o.out, "out", "../../dist", "`folder` for what is made; it must be empty or new")
	flag.StringVar(&o.version, "version", "dev", "version of the release, such as v1.2.3")
	flag.StringVar(&o.targets, "targets", allTargets(), "systems, separated by spaces")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes all files of a release, and prints their checksums.
func run(ctx context.Context, o options, log io.Writer) error {
	targets, err := parseTargets(o.targets)
	if err != nil {
		return err
	}
	src, err := readSource(ctx, o.root, o.version)
	if err != nil {
		return err
	}
	dist, err := openFolder(o.out)
	if err != nil {
		return err
	}
	image, event := image{source: src, name: "hexarena"}, image{
		source: src, name: "hexarena-event", stage: "event",
	}
	var programs []file // the archives, for teams of an event
	var hosts []*program
	for _, t := range targets {
		fmt.Fprintln(log, "build", t)
		program, err := src.build(ctx, t)
		if err != nil {
			return err
		}
		archive, err := pack(dist, program)
		if err != nil {
			return err
		}
		programs = append(programs,
			file{name: binariesDir + program.archiveName(), mode: 0o644, data: archive})
		if t.os == "linux" {
			hosts = append(hosts, program)
		}
	}
	// the files are compressed already
	store := func(w io.Writer) error { return zipAs(zip.Store, w, programs, src.time) }
	if err := dist.write(src.fileName("binaries.zip"), store); err != nil {
		return err
	}
	for _, p := range hosts {
		if err := errors.Join(image.add(p, nil), event.add(p, programs)); err != nil {
			return err
		}
	}
	if len(hosts) > 0 {
		err := errors.Join(
			dist.write(src.fileName("image.tar"), image.archive),
			dist.write(src.fileName("event-image.tar"), event.archive),
		)
		if err != nil {
			return err
		}
	}
	if err := dist.writeBytes(src.fileName("third-party.txt"), src.notices); err != nil {
		return err
	}
	sums, err := dist.sums()
	if err != nil {
		return err
	}
	fmt.Fprint(log, sums)
	return dist.writeBytes("SHA256SUMS", []byte(sums))
}

// pack writes what belongs to one system: the archive, the wheel and the bill of materials, which
// is in both as well. It returns the archive.
func pack(dist *folder, p *program) ([]byte, error) {
	bom, err := p.billOfMaterials()
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	wheel := p.wheel(bom)
	err = errors.Join(
		p.archive(&archive, bom),
		dist.writeBytes(p.fileName(p.target.name()+".cdx.json"), bom),
		dist.writeBytes(p.archiveName(), archive.Bytes()),
		dist.write(wheel.fileName(), wheel.archive),
	)
	return archive.Bytes(), err
}

// folder is where the files of the release go.
type folder struct {
	path  string
	names []string // in the order in which they were written
}

// openFolder makes the folder; one with other files is refused, since their checksums would be
// missing.
func openFolder(path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty: remove it, or name another folder with -out", path)
	}
	return &folder{path: path}, nil
}

func (f *folder) write(name string, content func(io.Writer) error) error {
	file, err := os.Create(filepath.Join(f.path, name))
	if err != nil {
		return err
	}
	f.names = append(f.names, name)
	if err := errors.Join(content(file), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (f *folder) writeBytes(name string, content []byte) error {
	return f.write(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// sums returns the checksums of all files, as sha256sum prints them.
func (f *folder) sums() (string, error) {
	var list strings.Builder
	for _, name := range f.names {
		data, err := os.ReadFile(filepath.Join(f.path, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), name)
	}
	return list.String(), nil
}
