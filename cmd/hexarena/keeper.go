package main

import (
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/recording"
)

// newKeeper returns a keeper that deletes old recordings in a folder, nil if there is no
// folder.
func newKeeper(dir string, k config.Keep, tell func(recording.Tidied)) *recording.Keeper {
	if dir == "" {
		return nil
	}
	return recording.NewKeeper(dir, recording.Keep{Files: k.Files, Bytes: k.Bytes, Age: k.Age}, tell)
}

// logTidied returns a function that logs what a keeper deletes.
func logTidied(log zerolog.Logger) func(recording.Tidied) {
	return func(t recording.Tidied) {
		if t.Files > 0 {
			log.Info().Int("files", t.Files).Int64("bytes", t.Bytes).Msg("Deleted the oldest recordings: keep-recordings says how many stay")
		}
		if t.Err != nil {
			log.Error().Err(t.Err).Msg("Cannot delete old recordings: delete some, or they fill the disk")
		}
	}
}
