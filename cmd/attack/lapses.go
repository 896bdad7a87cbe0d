//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
)

// readLimit is how much of the recordings is read, in bytes. An attack may leave far more
// than is needed to judge it.
const readLimit = 64 << 20

// lapses returns how many turns honest bots lost according to the recordings in a folder,
// and describes the first. It ignores what it cannot read, since the bots count their
// losses as well.
func lapses(recordings string) (lost int, why string) {
	files, _ := filepath.Glob(filepath.Join(recordings, "*"+recording.Extension))
	left := int64(readLimit)
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			left -= info.Size()
		}
		if left < 0 {
			return lost, why
		}
		n, first := lapsesIn(file)
		if lost += n; why == "" {
			why = first
		}
	}
	return lost, why
}

// lapsesIn does so for one recording.
func lapsesIn(file string) (lost int, why string) {
	r, err := recording.Open(file)
	if err != nil {
		return 0, ""
	}
	defer r.Close()
	seats := r.Header().Seats
	for turn, err := range r.Turns() {
		if err != nil {
			return lost, why
		}
		for _, in := range turn.Inputs {
			if in.Lapse == engine.Answered || int(in.Player) >= len(seats) || !strings.HasPrefix(seats[in.Player].Nickname, honestName) {
				continue
			}
			if lost++; why == "" {
				why = fmt.Sprintf("%s: %v in turn %d of %s", seats[in.Player].Nickname, in.Lapse, turn.Step, filepath.Base(file))
			}
		}
	}
	return lost, why
}
