package join

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// classesOf returns the folder of classes and the main class that a command of java names, as
// kits build it.
func classesOf(words []string) (dir, class string, found bool) {
	if len(words) != 4 || words[1] != "-cp" {
		return "", "", false
	}
	return words[2], words[3], true
}

// writeJar writes a folder of classes as one file that java -jar runs, and returns its path.
func writeJar(dir, class, scratch string) (path string, err error) {
	path = filepath.Join(scratch, class+".jar")
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	w := zip.NewWriter(file)
	manifest, err := w.Create("META-INF/MANIFEST.MF") // which has to be the first file
	if err == nil {
		_, err = fmt.Fprintf(manifest, "Manifest-Version: 1.0\r\nMain-Class: %s\r\n\r\n", class)
	}
	if err == nil {
		err = w.AddFS(os.DirFS(dir))
	}
	return path, errors.Join(err, w.Close(), file.Close())
}
