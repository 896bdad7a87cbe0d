package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"time"
)

// archiveName returns the name of the archive: what each system unpacks without another program.
func (p *program) archiveName() string {
	if p.target.os == "windows" {
		return p.fileName(p.target.name() + ".zip")
	}
	return p.fileName(p.target.name() + ".tar.gz")
}

// archive writes the program and what belongs to it, in one folder.
func (p *program) archive(w io.Writer, bom []byte) error {
	files := []file{
		{name: p.target.executable(), mode: 0o755, data: p.binary},
		{name: "README.md", mode: 0o644, data: p.readme.with(archiveStart)},
		{name: "LICENSE", mode: 0o644, data: p.license},
		{name: "THIRD_PARTY.txt", mode: 0o644, data: p.notices},
		{name: "hexarena.cdx.json", mode: 0o644, data: bom},
	}
	files = append(files, p.kits...)
	for i, f := range files {
		files[i].name = path.Join(p.fileName(p.target.name()), f.name)
	}
	if p.target.os == "windows" {
		return writeZip(w, files, p.time)
	}
	return writeTarGzip(w, files, p.time)
}

func writeTarGzip(w io.Writer, files []file, modified time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(packed, files, modified), packed.Close())
}

func writeTar(w io.Writer, files []file, modified time.Time) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)),
			Uid: f.owner, Gid: 0, ModTime: modified,
		}
		if f.mode.IsDir() {
			header.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return t.Close()
}

// binariesDir is the folder in which an event looks for programs beside its own.
const binariesDir = "binaries/"

func writeZip(w io.Writer, files []file, modified time.Time) error {
	return zipAs(zip.Deflate, w, files, modified)
}

func zipAs(method uint16, w io.Writer, files []file, modified time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: method, Modified: modified}
		header.SetMode(f.mode)
		entry, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
