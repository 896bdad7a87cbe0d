package cup

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// outputFile returns the file below a folder with what the bot in a seat prints.
func outputFile(dir string, seat int) string { return filepath.Join(dir, strconv.Itoa(seat)) }

// readOutputs returns the ends of the output of a match's bots, by seat; nil for those that are not
// started.
func readOutputs(dir string, seats int) [][]byte {
	list := make([][]byte, seats)
	for i := range list {
		list[i] = endOf(outputFile(dir, i))
	}
	return list
}

// endOf returns the end of a file, up to maxText; nil if it cannot be read.
func endOf(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxText {
		_, _ = f.Seek(-maxText, io.SeekEnd) // else it is read from its beginning
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxText))
	return text
}
