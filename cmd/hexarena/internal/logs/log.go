package logs

import (
	"io"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
)

// The names are netorcai's. They are set once, since commands of one process may run at the same
// time.
func init() {
	zerolog.MessageFieldName = "msg"
	zerolog.LevelWarnValue = "warning"
}

// New returns the log of a server. Under the name netorcai, the lines are netorcai's.
func New(out *Console, level config.LogLevel, asJSON, netorcai bool) zerolog.Logger {
	var log zerolog.Logger
	switch {
	case netorcai:
		log = zerolog.New(netorcaiLog{out, asJSON}) // which adds the time
	case asJSON:
		log = zerolog.New(out).With().Timestamp().Logger()
	default:
		w := zerolog.ConsoleWriter{Out: out, NoColor: true, TimeFormat: time.RFC3339}
		log = zerolog.New(w).With().Timestamp().Logger()
	}
	log = log.Level(levels[level])
	out.tell = func(lost int64) {
		log.Warn().Int64("lines", lost).Msg("Lines of the log were dropped: they were not read in time")
	}
	return log
}

var levels = map[config.LogLevel]zerolog.Level{
	config.Quiet:   zerolog.WarnLevel,
	config.Verbose: zerolog.InfoLevel,
	config.Debug:   zerolog.DebugLevel,
}

// Warnings returns a log of what a user at a terminal should know, on w.
func Warnings(w io.Writer) zerolog.Logger { return zerolog.New(WarningWriter(w)) }

// WarningWriter writes the warnings and errors of a log to w.
func WarningWriter(w io.Writer) zerolog.LevelWriter {
	out := zerolog.ConsoleWriter{
		Out: w, NoColor: true, PartsOrder: []string{zerolog.LevelFieldName, zerolog.MessageFieldName},
	}
	return &zerolog.FilteredLevelWriter{
		Writer: zerolog.LevelWriterAdapter{Writer: out}, Level: zerolog.WarnLevel,
	}
}
