package isolation

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/launch/isolate"
)

// The modes of sending, which say whether the teams of an event may send their bots.
const (
	SendAuto     = "auto"     // if they can be isolated; else those in JavaScript, as with SendBrowser
	SendIsolated = "isolated" // it is a mistake if they cannot be isolated
	SendTrusted  = "trusted"  // they run with the rights of this process
	SendBrowser  = "browser"  // those in JavaScript, which run in the operator's page
	SendOff      = "off"
)

// Sent says how bots that the teams of an event send are run.
type Sent struct {
	Store   *versions.Store // nil: they cannot send any
	Refusal string          // why not
	missing []string        // commands that fetch what some of them need
}

// Sending returns how bots that are sent are run in a mode on this machine. They are kept in a folder.
func Sending(ctx context.Context, v config.Values, mode, dir string) (*Sent, error) {
	o := versions.Options{Game: v.Text("game")}
	switch mode {
	case SendOff:
		return &Sent{Refusal: "the operator has switched it off"}, nil
	case SendTrusted:
		return &Sent{Store: versions.Open(dir, o)}, nil
	case SendBrowser:
		o.Workers = "the operator has decided so"
		return &Sent{Store: versions.Open(dir, o)}, nil
	case SendAuto, SendIsolated:
	default:
		return nil, fmt.Errorf("--send %s: want auto, isolated, browser, trusted or off", mode)
	}
	r, err := isolate.Find(ctx, options(v))
	var missing []string
	if err == nil {
		missing, err = r.Missing(ctx)
	}
	if err == nil {
		err = r.Try(ctx)
	}
	switch {
	case err != nil && mode == SendIsolated:
		return nil, fmt.Errorf("--send %s: %w", mode, err)
	case err != nil:
		o.Workers = err.Error()
		return &Sent{Store: versions.Open(dir, o)}, nil
	}
	o.Isolate = r
	return &Sent{Store: versions.Open(dir, o), missing: missing}, nil
}

// Tell logs how bots that are sent are run, or why none can be sent.
func (s *Sent) Tell(log zerolog.Logger) {
	if s.Store == nil {
		log.Info().Str("why", s.Refusal).Msg("Teams cannot send their bots, and connect them")
		return
	}
	log.Info().Msgf("Teams may send their bots: %v", s.Store)
	for _, command := range s.missing {
		log.Warn().Str("run", command).Msg("Some bots cannot be sent until an image is fetched")
	}
}
