package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/server/access"
)

// readTokens reads the list of the tokens that admit clients.
func readTokens(name string) (*access.List, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w; hexarena tokens -o %s makes such a file", err, name)
	}
	defer f.Close()
	list, err := access.Read(f)
	if err != nil {
		return nil, fmt.Errorf("tokens = %q:\n%w", name, err)
	}
	return list, nil
}

// warnOfReaders logs a warning if all users of this machine can read the list of tokens.
func warnOfReaders(name string, log zerolog.Logger) {
	const othersRead = 0o004
	if info, err := os.Stat(name); err == nil && runtime.GOOS != "windows" &&
		info.Mode().Perm()&othersRead != 0 {
		log.Warn().Str("file", name).Msg(
			"Every user of this machine can read the tokens: chmod o-r keeps them secret")
	}
}

func newTokens() *cobra.Command {
	var players, specials, visus int
	var names, file string
	var out *output
	cmd := &cobra.Command{
		Use:   "tokens",
		Short: "Make a list of tokens for clients",
		Long: `Print a list of new tokens, for serve --tokens FILE: one for the operator, and one for
each client. A bot sends its token in the field token of its LOGIN (hexarena bot
--token). A bot that cannot be changed can use the token as its nickname; it then gets
the nickname in the list.`,
		Example: `  hexarena tokens --players 8 -o tokens.txt
  hexarena tokens --names class.txt -o tokens.txt     # one nickname on a line
  hexarena serve --tokens tokens.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkCounts(cmd.Flags(), "players", "special-players", "visualizations"); err != nil {
				return err
			}
			nicknames := make([]string, players)
			if names != "" {
				if cmd.Flags().Changed("players") {
					return usageErrorf("--players and --names exclude each other; leave one out")
				}
				var err error
				if nicknames, err = readNicknames(names); err != nil {
					return err
				}
			}
			list := newTokenList(nicknames, specials, visus)
			text := []byte("# role        token      nickname\n")
			for _, t := range list {
				text = access.Append(text, t.Role, t.Token, t.Nickname)
			}
			if file == "" {
				return out.print(list, "%s", text)
			}
			err := writeNew(file, text, 0o600) // tokens are secret
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf(
					"%s exists, and its tokens may have been handed out: delete it first, or choose another name",
					file)
			}
			return err
		},
	}
	out = addOutput(cmd)
	f := cmd.Flags()
	f.IntVar(&players, "players", 4, "tokens for players")
	f.IntVar(&specials, "special-players", 0, "tokens for special players")
	f.IntVar(&visus, "visualizations", 0, "tokens for visualizations")
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(oldCounts[name], name))
	})
	f.StringVarP(&file, "output", "o", "",
		"file to write, which only you can read; it must not exist. Without it, the list is printed")
	f.StringVar(&names, "names", "",
		"file with the players' nicknames, one on a line; what follows a # is a comment")
	cmd.MarkFlagsMutuallyExclusive("output", "json")
	return cmd
}

// oldCounts maps former names of flags, which still work, to their names.
var oldCounts = map[string]string{"specials": "special-players", "visus": "visualizations"}

// mostTokens is the largest number of tokens of a role: a match has no more seats.
const mostTokens = 1024

// checkCounts returns an error for each count that is out of range.
func checkCounts(f *pflag.FlagSet, names ...string) error {
	var wrong []error
	for _, name := range names {
		if n, _ := f.GetInt(name); n < 0 || n > mostTokens {
			wrong = append(wrong, fmt.Errorf("--%s: %d is not in 0…%d", name, n, mostTokens))
		}
	}
	return usage(errors.Join(wrong...))
}

// readNicknames reads the file of --names.
func readNicknames(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--names: %w", err)
	}
	defer f.Close()
	list, err := access.ReadNicknames(f)
	if err != nil {
		return nil, usageErrorf("--names %q:\n%w", name, err)
	}
	if len(list) > mostTokens {
		return nil, usageErrorf("--names: %s has %d nicknames; want at most %d", name, len(list),
			mostTokens)
	}
	return list, nil
}

// newToken is a client's token.
type newToken struct {
	Role     access.Role `json:"role"`
	Token    string      `json:"token"`
	Nickname string      `json:"nickname,omitempty"`
}

// newTokenList returns a list of new tokens.
func newTokenList(players []string, specials, visus int) (list []newToken) {
	add := func(role access.Role, nicknames []string) {
		for _, nickname := range nicknames {
			list = append(list, newToken{role, access.NewToken(), nickname})
		}
	}
	add(access.Operator, []string{""})
	add(access.Player, players)
	add(access.Special, make([]string, specials))
	add(access.Visualization, make([]string, visus))
	return list
}
