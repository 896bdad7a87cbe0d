package isolation

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/isolate"
)

// The modes of sending, which say whether the teams of an event may send their bots.
const (
	SendAuto     = "auto"     // if they can be isolated; else those in JavaScript
	SendIsolated = "isolated" // it is a mistake if they cannot be isolated
	SendTrusted  = "trusted"  // they run with the rights of this process
	SendOff      = "off"
)

// Sent says how bots that the teams of an event send are run.
type Sent struct {
	Store   *versions.Store // nil: they cannot send any
	Refusal string          // why not
	missing []string        // commands that fetch what some of them need
}

// SendOptions say which bots may be sent and how they are run.
type SendOptions struct {
	Mode   string // one of those above
	JS     string // what runs scripts: builtin or node
	Memory int    // that a script may use which this program runs, in MiB
	Dir    string // where they are kept
}

// javaScript returns what runs scripts.
func (o *SendOptions) javaScript() (launch.JavaScript, error) {
	js, found := launch.JavaScripts[o.JS]
	switch {
	case !found || js == launch.JSAuto:
		return js, fmt.Errorf("--js %s: want builtin or node", o.JS)
	case o.Memory < 16 || o.Memory > 1<<20: // as the setting of cups, which workers know
		return js, fmt.Errorf("--js-memory %d: want 16 to %d MiB", o.Memory, 1<<20)
	}
	return js, nil
}

// Sending returns how bots that are sent are run on this machine.
func Sending(ctx context.Context, v config.Values, how SendOptions) (*Sent, error) {
	js, err := how.javaScript()
	if err != nil {
		return nil, err
	}
	mode, dir := how.Mode, how.Dir
	o := versions.Options{Game: v.Text("game"), JS: js, Memory: how.Memory}
	switch mode {
	case SendOff:
		return &Sent{Refusal: "the operator has switched it off"}, nil
	case SendTrusted:
		return &Sent{Store: versions.Open(dir, o)}, nil
	case SendAuto, SendIsolated:
	default:
		return nil, fmt.Errorf("--send %s: want auto, isolated, trusted or off", mode)
	}
	unused := ""
	if js == launch.JSBuiltin {
		unused = "node"
	}
	r, err := isolate.Find(ctx, options(v))
	var missing []string
	if err == nil {
		missing, err = r.Missing(ctx, unused)
	}
	if err == nil {
		err = r.Try(ctx)
	}
	switch {
	case err != nil && mode == SendIsolated:
		return nil, fmt.Errorf("--send %s: %w", mode, err)
	case err != nil && js != launch.JSBuiltin:
		return nil, fmt.Errorf("--js node: Node runs bots that are sent only where they are isolated: "+
			"%w; leave it out, and hexarena runs those in JavaScript itself", err)
	case err != nil:
		o.Scripts = err.Error()
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
