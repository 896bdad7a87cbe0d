package main

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/isolate"
)

// The modes of sending, which say whether the teams of an event may send their bots.
const (
	sendAuto     = "auto"     // if they can be isolated; else those in JavaScript
	sendIsolated = "isolated" // it is a mistake if they cannot be isolated
	sendTrusted  = "trusted"  // they run with the rights of this process
	sendOff      = "off"
)

// sentBots are the bots that the teams of an event send, and how they run.
type sentBots struct {
	Store   *versions.Store // nil: they cannot send any
	Refusal string          // why not
	missing []string        // commands that fetch what some of them need
}

// javaScript returns what runs scripts that teams send.
func (o *eventOptions) javaScript() (launch.JavaScript, error) {
	js, found := launch.JavaScripts[o.js]
	switch {
	case !found || js == launch.JSAuto:
		return js, fmt.Errorf("--js %s: want builtin or node", o.js)
	case o.jsMemory < 16 || o.jsMemory > 1<<20: // as the setting of cups, which workers know
		return js, fmt.Errorf("--js-memory %d: want 16 to %d MiB", o.jsMemory, 1<<20)
	}
	return js, nil
}

// sending returns how bots that teams send run on this machine. They are kept in dir.
func (o *eventOptions) sending(
	ctx context.Context, v config.Values, dir string,
) (*sentBots, error) {
	js, err := o.javaScript()
	if err != nil {
		return nil, err
	}
	how := versions.Options{Game: v.Text("game"), JS: js, Memory: o.jsMemory}
	switch o.send {
	case sendOff:
		return &sentBots{Refusal: "the operator has switched it off"}, nil
	case sendTrusted:
		return &sentBots{Store: versions.Open(dir, how)}, nil
	case sendAuto, sendIsolated:
	default:
		return nil, fmt.Errorf("--send %s: want auto, isolated, trusted or off", o.send)
	}
	unused := ""
	if js == launch.JSBuiltin {
		unused = "node"
	}
	r, err := isolate.Find(ctx, cli.IsolateOptions(v))
	var missing []string
	if err == nil {
		missing, err = r.Missing(ctx, unused)
	}
	if err == nil {
		err = r.Try(ctx)
	}
	switch {
	case err != nil && o.send == sendIsolated:
		return nil, fmt.Errorf("--send %s: %w", o.send, err)
	case err != nil && js != launch.JSBuiltin:
		return nil, fmt.Errorf("--js node: Node runs bots that are sent only where they are isolated: "+
			"%w; leave it out, and hexarena runs those in JavaScript itself", err)
	case err != nil:
		how.Scripts = err.Error()
		return &sentBots{Store: versions.Open(dir, how)}, nil
	}
	how.Isolate = r
	return &sentBots{Store: versions.Open(dir, how), missing: missing}, nil
}

// tell logs how bots that are sent are run, or why none can be sent.
func (s *sentBots) tell(log zerolog.Logger) {
	if s.Store == nil {
		log.Info().Str("why", s.Refusal).Msg("Teams cannot send their bots, and connect them")
		return
	}
	log.Info().Msgf("Teams may send their bots: %v", s.Store)
	for _, command := range s.missing {
		log.Warn().Str("run", command).Msg("Some bots cannot be sent until an image is fetched")
	}
}
