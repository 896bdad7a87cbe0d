package main

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

const module = "github.com/hexarena/hexarena/"

// rule says what packages may import.
type rule struct {
	packages  string
	local     []string // allowed imports of this module
	forbidden []string // forbidden imports of other modules
}

// rules lists what the packages below a path may import, except in tests. The first
// matching rule applies. A name that ends in / includes all packages below it.
var rules = []rule{
	{"engine/enginetest/thorough/", nil, nil},
	{"engine/enginetest", []string{"engine/", "protocol/jsonscan"}, nil},
	{"engine/", []string{"engine/", "protocol/jsonscan"}, []string{"net/", "os/", "time", "sync/", "context", "log/", "github.com/", "golang.org/"}},
	{"protocol/", []string{"protocol/"}, []string{"github.com/rs/", "github.com/knadh/"}},
	{"config/textutil/", nil, []string{"net/", "os/"}},
	{"config/", []string{"config/textutil"}, nil},
	{"maps/", []string{"engine/", "maps", "config/textutil"}, []string{"net/", "github.com/rs/", "github.com/knadh/"}},
	{"server/match/", []string{
		"engine/", "server/machine/limits", "server/machine/panics",
	}, []string{"net/", "os/"}},
	{"server/machine/panics/", nil, []string{"net/", "os/"}},
	{"server/machine/", []string{"config/textutil", "server/machine/"}, nil},
	{"server/session/", []string{
		"config/textutil", "engine/", "protocol/", "server/machine/", "server/match",
	}, nil},
	{"server/feed/", []string{"engine/", "protocol/jsonscan", "server/match", "server/recording", "server/result"}, []string{"net/", "os/"}},
	{"server/web/", []string{
		"server/feed", "server/machine/", "server/match", "server/recording",
	}, nil},
	{"server/contest/source/", []string{
		"bots/kits", "config/textutil", "protocol/netorcai", "server/contest/plan", "server/launch",
		"server/machine/disk", "server/seat",
	}, []string{"net/"}},
	{"server/contest/play/", []string{
		"engine", "server/contest/results", "server/games", "server/host", "server/match",
		"server/result", "server/seat/",
	}, []string{"net/", "os/"}},
	{"server/contest/", []string{"engine/", "server/contest/"}, []string{"net/", "os/", "time", "sync/", "context", "log/", "github.com/", "golang.org/", "gonum.org/"}},
	{"server/cup/cuptest/", []string{"config", "server/"}, nil}, // for tests, as those of others in server/ may
	{"server/cup/standings/", []string{"config/textutil", "engine/", "server/contest/"}, []string{"net/", "os/", "time", "sync/", "context", "log/", "golang.org/"}},
	{"server/event/state/", []string{
		"config/textutil", "server/access/nickname", "server/contest/", "server/cup/exam",
		"server/cup/standings",
	}, []string{"net/", "os/", "time", "sync/", "context", "log/"}},
	{"server/prompt/", []string{"config", "config/textutil", "server/match", "server/machine/panics"}, nil},
	{"server/games/picture/", []string{
		"engine/", "maps", "config/textutil",
	}, []string{"net/", "github.com/rs/", "github.com/knadh/"}},
	{"server/games/", []string{"engine/", "protocol/", "config", "config/textutil", "maps/", "bots/", "server/botapi", "server/games/", "server/match", "server/recording"}, nil},
	{"server/export/", []string{"config/textutil", "engine/", "server/games/picture", "server/feed", "server/games", "server/match", "server/recording", "server/result", "server/web"}, nil},
	{"server/", []string{"engine/", "protocol/", "server/", "config/textutil", "bots/kits"}, nil},
	{"docs/", []string{"config", "engine/", "maps", "protocol/", "server/games/"}, nil},
	{"bots/script/", []string{"bots/", "config", "server/games", "server/games/env"}, nil}, // a script's simulator
	{"bots/", []string{"engine/", "protocol/", "maps", "bots/"}, nil},
	{"cmd/hexarena/internal/tui/", []string{"config/textutil", "engine/", "maps", "server/cup/exam", "server/cup/standings", "server/games", "server/launch", "server/match", "server/result"}, nil},
	{"cmd/hexarena/internal/logs/", []string{"config", "server/machine/panics"}, nil},
	{"cmd/hexarena/internal/cli/", []string{"config", "server/"}, nil},
	{"tools/harness/", []string{"protocol/netorcai", "tools/harness"}, nil},
	{"tools/model/", []string{"protocol/netorcai/model", "tools/model/emit"}, nil},
	{"tools/browser/", []string{"tools/"}, nil},
	{"tools/", []string{"engine/", "protocol/", "maps/", "server/", "bots/", "tools/harness"}, nil},
	{"cmd/", []string{"engine/", "protocol/", "config", "config/textutil", "maps/", "server/", "bots/", "cmd/hexarena/internal/"}, nil},
}

// websocketUsers lists the packages that may import gorilla/websocket.
var websocketUsers = []string{
	"server/machine/wsconn", "server/web/", "server/session", "server/servertest", "tools/harness",
	"server/botapi", "bots/hextictactoe/serve",
}

// onlyBy are packages that only one other one may import.
var onlyBy = map[string]string{
	"github.com/nats-io/nats-server/v2/server": "server/cup/remote/broker",
	module + "server/cup/remote/broker":        "cmd/hexarena",
}

// Imports go one way; ARCHITECTURE.md gives the reasons.
func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; found++ {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		i := slices.IndexFunc(rules, func(r rule) bool { return covers(r.packages, name) })
		if i < 0 {
			t.Errorf("%s matches no rule", name)
			continue
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if by, only := onlyBy[imported]; only && name != by {
				t.Errorf("%s imports %s; only %s may, also in tests, so that the embedded NATS server is linked into no other test", name, imported, by)
			}
		}
		for _, imported := range p.Imports {
			if imported == "github.com/knadh/koanf/v2" && !covers("config/", name) {
				t.Errorf("%s imports koanf; only config may", name)
			}
			if imported == "github.com/gorilla/websocket" && !slices.ContainsFunc(websocketUsers, func(p string) bool { return covers(p, name) }) {
				t.Errorf("%s imports gorilla/websocket; only %q may", name, websocketUsers)
			}
			if imported == "nhooyr.io/websocket" && name != "server/botapi" {
				t.Errorf("%s imports nhooyr.io/websocket; only server/botapi may", name)
			}
			ours, isOurs := strings.CutPrefix(imported, module)
			if isOurs && !slices.ContainsFunc(rules[i].local, func(r string) bool { return covers(r, ours) }) ||
				!isOurs && slices.ContainsFunc(rules[i].forbidden, func(r string) bool { return covers(r, imported) }) {
				t.Errorf("%s imports %s, which the rule for %s forbids", name, imported, rules[i].packages)
			}
		}
	}
	if found < len(rules) {
		t.Errorf("go list found %d packages", found)
	}
}

// covers reports whether a rule's name includes a package.
func covers(rule, name string) bool {
	return name == strings.TrimSuffix(rule, "/") || strings.HasSuffix(rule, "/") && strings.HasPrefix(name, rule)
}
