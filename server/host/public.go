package host

import (
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/memlimit"
	"github.com/hexarena/hexarena/server/metrics"
)

const (
	// LocalReserve is the number of connections of this machine that a full port admits: enough for a
	// probe and for an operator with a browser.
	LocalReserve = 8
	// publicWriteTimeout is the default of the setting write-timeout.
	publicWriteTimeout = time.Minute
)

// Public returns the options that hosts have in common whose port strangers can reach: they bound
// the log, the connections, the memory and the time that a stranger can take, and count what
// happens. version is that of the program.
func Public(log zerolog.Logger, version string) Options {
	return Options{
		Log: log, Lines: limits.NewLog(log),
		Connections: limits.NewConnections(limits.Descriptors(), log),
		Buffers:     bufferBudget(), WriteTimeout: publicWriteTimeout, Gate: nickname.Gate{},
		Metrics: metrics.New(version), Program: "hexarena " + version,
	}
}

// bufferBudget returns how many bytes the large messages of all connections may take: a quarter of
// the process's memory limit, since histories may take up to half of it; 0 without a limit.
func bufferBudget() int64 {
	const share = 4
	limit := memlimit.Apply().Bytes
	if limit == 0 {
		return 0
	}
	return max(limit/share, 2*netorcai.Limit) // or a single message might not fit
}

// Beside returns the options of another host of the same process, which has a free port of this
// machine, no page and no recordings. Both share their bounds and their counts.
func (o Options) Beside() Options {
	return Options{
		Bind: "127.0.0.1", Log: o.Log, Lines: o.Lines, Connections: o.Connections, Buffers: o.Buffers,
		WriteTimeout: o.WriteTimeout, Gate: nickname.Gate{}, Metrics: o.Metrics, Program: o.Program,
		Allow:  o.Allow,
		beside: true,
	}
}
