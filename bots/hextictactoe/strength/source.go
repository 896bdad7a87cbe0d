package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// goBuild builds hexarena from the module in dir.
func goBuild(ctx context.Context, dir, file string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, "github.com/hexarena/hexarena/cmd/hexarena")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, text)
	}
	return nil
}

// extract writes the files of a commit of this repository to dir. It does not change the
// repository.
func extract(ctx context.Context, commit, dir string) error {
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	archive, err := git(ctx, "-C", string(bytes.TrimSpace(top)), "archive", "--format=tar", commit)
	if err != nil {
		return fmt.Errorf("cannot read the files of commit %s; if the clone is shallow, run git fetch --unshallow: %w", commit, err)
	}
	for files := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeReg {
			if err := write(filepath.Join(dir, filepath.FromSlash(h.Name)), files); err != nil {
				return err
			}
		}
	}
}

func git(ctx context.Context, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return text, nil
}

func write(path string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
