package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The same flags give the same file, whatever number of games is played at once.
func TestFileRepeats(t *testing.T) {
	learned := func(jobs string) []byte {
		file := filepath.Join(t.TempDir(), "evaluation.bin")
		var out bytes.Buffer
		err := program.Run(t.Context(),
			[]string{"-games=20", "-nodes=128", "-jobs", jobs, "-o", file}, &out, &out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if !bytes.Equal(learned("1"), learned("3")) {
		t.Error("with three games at once the file is another one")
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{}, {"-o=x", "-without=veto"}, {"-without=speed"}, {"-without=evaluation"}, {"-games=0", "-o=x"}, {"more"}} {
		var out bytes.Buffer
		if err := program.Run(t.Context(), args, &out, &out); err == nil {
			t.Errorf("evaluation %v succeeds", args)
		}
	}
}
