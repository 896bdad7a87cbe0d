package script

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/grafana/sobek"
)

// maxNickname is the number of characters that a name may have.
const maxNickname = 10

// settings are what a bot says in its LOGIN, of the options that the kit has in Node.
type settings struct {
	name, role, token, seed string
	stay                    bool
}

// parseSettings reads the settings from the environment, which has what hexarena tells every
// bot that it starts, and from the script's options. It reports a mistake.
func parseSettings(args []string) (s settings, err error) {
	s.seed = os.Getenv("BOT_SEED")
	flags := flag.NewFlagSet("a script of hexarena's own JavaScript", flag.ContinueOnError)
	flags.StringVar(&s.name, "name", os.Getenv("BOT_NICKNAME"), "the bot's name")
	flags.StringVar(&s.token, "token", os.Getenv("BOT_TOKEN"),
		"identifies you to servers that require it")
	flags.StringVar(&s.role, "role", "", `player, "special player" or visualization`)
	flags.BoolVar(&s.stay, "stay", s.seed != "", "play match after match")
	flags.Bool("stdio", true, "use standard input and output, as always here")
	if err = flags.Parse(args); err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("it speaks on its standard input and output, and calls no server: leave out %s",
			flags.Arg(0))
		fmt.Fprintln(os.Stderr, "hexarena:", err)
	}
	return s, err
}

// option returns what the script passed to run beside the bot's class, or what holds otherwise.
func (b *bot) option(name, otherwise string) string {
	if b.options != nil {
		if value := b.options.Get(name); value != nil && !sobek.IsUndefined(value) {
			return shown(value)
		}
	}
	return otherwise
}

// login logs the bot in.
func (b *bot) login() error {
	s := &b.settings
	if s.name == "" {
		s.name = b.option("name", strings.TrimSuffix(b.activity.file, filepath.Ext(b.activity.file)))
	}
	if s.role == "" {
		s.role = b.option("role", "player")
	}
	name := []rune(strings.Join(strings.Fields(s.name), "_"))
	login := struct {
		Type     string `json:"message_type"`
		Nickname string `json:"nickname"`
		Role     string `json:"role"`
		Protocol string `json:"metaprotocol_version"`
		Token    string `json:"token,omitempty"`
		Stay     bool   `json:"stay,omitempty"`
		Version  string `json:"version"`
		Language string `json:"language"`
		TurnOver bool   `json:"turn_over"`
	}{
		"LOGIN", string(name[:min(len(name), maxNickname)]), s.role, "2.0.0", s.token, s.stay, b.digest,
		"JavaScript", true,
	}
	text, err := json.Marshal(login)
	if err != nil {
		return err
	}
	err = b.run(starting, func() error {
		role, seed := b.vm.ToValue(s.role), b.vm.ToValue(s.seed)
		_, err := b.begun(sobek.Undefined(), b.session, b.class, role, seed)
		return err
	})
	if err != nil {
		return err
	}
	return send(string(text))
}

// send writes a message to standard output.
func send(text string) error {
	_, err := os.Stdout.WriteString(text + "\n")
	return err
}
