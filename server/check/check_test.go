package check

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/seat"
)

// testPatience is the time limit for an answer of those bots that do not answer in time. Others
// have a minute, so that a busy machine makes none of them slow.
const testPatience = 2 * time.Second

var testGames = games.List{hexabomb.Game(), hextictactoe.Game()}

// options returns the options for a check of a command.
func options(t *testing.T, game, argument string) Options {
	t.Helper()
	g := testGames.Find(game)
	scope := config.Scope{Command: config.Check, Games: testGames.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	v, err := scope.Load(flags, []string{"HEXARENA_GAME=" + game})
	if err != nil {
		t.Fatal(err)
	}
	i, err := g.New(v)
	if err != nil {
		t.Fatal(err)
	}
	seats, err := seat.Parse(t.Context(), []string{argument}, seat.Known{Game: game, HTTTX: g.BotAPI})
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Seat: seats[0], Game: g, Instance: i, Turns: 20, Seed: 1, StartTimeout: time.Minute,
		TurnTimeout: time.Minute,
	}
}

// planted are the faults of the bots that speak netorcai's protocol, and the key under which each
// must be found, if that is another.
var planted = []struct{ fault, key string }{
	{"never-connects", ""},
	{"hard-coded-port", ""},
	{"hard-coded-host", ""},
	{"crash-before", "crash"},
	{"silent-login", ""},
	{"no-frames", ""},
	{"byte-order", ""},
	{"frame-length", ""},
	{"frame-length-long", "frame-length"},
	{"first-message-size", ""},
	{"login-unreadable", ""},
	{"not-login", ""},
	{"login-field", ""},
	{"login-nickname", ""},
	{"login-role", ""},
	{"login-version", ""},
	{"unasked", ""},
	{"answers-twice", ""},
	{"answers-end", ""},
	{"turn-number", ""},
	{"answer-type", ""},
	{"answer-field", ""},
	{"answer-field-number", "answer-field"},
	{"answer-unreadable", ""},
	{"answer-size", ""},
	{"silent", ""},
	{"slow", ""},
	{"crash", ""},
	{"left", ""},
	{"hangs-up", "left"},
	{"crash-at-end", ""},
	{"stays-running", ""},
	{"refused", ""},
	{"not-reproducible", ""},
	{"pieces", ""},
	{"joined", ""},
	{"unknown-fields", ""},
	{"unknown-messages", ""},
	{"notation", ""},
	{"large-state", ""},
	{"deep-state", ""},
	{"skipped-turns", ""},
	{"no-turns", ""},
	{"kick-before", ""},
	{"kick-during", ""},
	{"long-wait", ""},
	{"player-id", ""},
	{"many-players", ""},
	{"rare-state", ""},
	{"players-info", ""},
	{"stay", ""},
	{"stay-memory", ""},
	{"ws-turn-number", "turn-number"},
	{"ws-crash", "crash"},
	{"ws-stay", "stay"},
	{"header-alone", ""},
	{"debug", ""},
	{"own-nickname", ""},
	{"no-stay", ""},
	{"stdio not-flushed", "not-flushed"},
	{"stdio prints", "prints"},
	{"stdio prints-later", "prints"},
	{"stdio silent", "silent"},
}

// inTime are faults for which a check has to wait for its time limits.
var inTime = []string{
	"never-connects", "silent-login", "frame-length", "frame-length-long", "silent", "slow", "joined",
	"stays-running", "kick-before", "kick-during", "stdio not-flushed", "stdio silent",
}

// basic are the faults that are planted at ordinary size: one of each kind, such as what is sent,
// when, and how a bot ends.
var basic = []string{
	"never-connects", "silent-login", "frame-length", "login-field", "answers-twice", "turn-number",
	"answer-unreadable", "crash",
	"stays-running", "refused", "not-reproducible", "pieces", "unknown-fields", "skipped-turns",
	"kick-during", "stay", "ws-turn-number", "debug", "stdio prints",
	"malformed-packet", "illegal-move", "request-id", "heartbeat", "second-game",
	"stateless no-answer", "in dial-in",
}

// ordinarily skips all but the basic faults, unless the tests run at full size.
func ordinarily(t *testing.T, fault string) {
	t.Helper()
	if !slices.Contains(basic, fault) {
		thorough.Full(t)
	}
}

// besides are the cases that a bot with a planted fault plays in any case: the match, and some in
// which most is different. At full size, each plays all cases.
var besides = []string{"", "unknown-fields", "player-id", "no-turns"}

// Each planted fault is found by its key, and no other error is.
func TestPlantedFaults(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, tt := range planted {
		key := cmp.Or(tt.key, tt.fault)
		t.Run(tt.fault, func(t *testing.T) {
			ordinarily(t, tt.fault)
			t.Parallel()
			name, stdio := strings.CutPrefix(tt.fault, "stdio ")
			argument := os.Args[0] + " check-test-bot " + name
			if stdio {
				argument = seat.StdioPrefix + argument
			}
			o := options(t, "hexabomb", argument)
			if tt.fault == "hard-coded-port" {
				o.UsualPort = freeTestPort(t)
				o.Env = []string{"CHECK_USUAL_PORT=" + strconv.Itoa(o.UsualPort)}
			}
			o.only = thorough.Size(
				func(one string) bool { return one == key || slices.Contains(besides, one) }, nil)
			if slices.Contains(inTime, tt.fault) {
				o.TurnTimeout, o.StartTimeout = testPatience, testPatience
				// under the race detector, a bot can take longer to read a message of 2 MiB
				if thorough.Enabled {
					o.only = func(one string) bool { return one != "large-state" }
				}
			}
			if tt.fault == "joined" { // such a bot also misses messages that arrive together by chance
				o.only, o.hush = func(one string) bool { return one == key }, testPatience
			}
			wantOnly(t, o, key)
		})
	}
}

// freeTestPort returns a port that was free a moment ago.
func freeTestPort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return int(netconn.AddrPort(l.Addr()).Port())
}

// tooMuch are faults of bots that say too much. On a busy machine they say it late, so that they
// have to be listened to for longer.
var tooMuch = []string{"unasked", "answers-twice", "answers-end", "packet-twice", "unasked-packet"}

// wantOnly checks a bot, and wants the fault with that key, "" for none, and no other error.
func wantOnly(t *testing.T, o Options, key string) {
	t.Helper()
	if slices.Contains(tooMuch, key) {
		o.hush = testPatience / 3
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	found := key == ""
	for _, f := range r.Faults {
		found = found || f.Key == key
		if f.Key != key && f.Severity == Error {
			t.Errorf("found %s as well, in %s: %s\n%s", f.Key, f.Case, f.Found, strings.Join(f.Output, "\n"))
		}
		if f.Rule == "" || f.Source == "" || f.Remedy == "" || f.Found == "" || f.Case == "" {
			t.Errorf("incomplete: %+v", f)
		}
	}
	if !found {
		t.Errorf("%s was not found, but %+v", key, r.Faults)
	}
}

// A bot without a fault has none.
func TestNoFault(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for wire, argument := range map[string]string{
		"TCP": os.Args[0] + " check-test-bot none", "WebSocket": os.Args[0] + " check-test-bot ws-none",
		"stdio": seat.StdioPrefix + os.Args[0] + " check-test-bot none",
	} {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			wantOnly(t, options(t, "hexabomb", argument), "")
		})
	}
}

// A check that is interrupted leaves no process behind: Run returns when all are gone.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := options(t, "hexabomb", os.Args[0]+" check-test-bot none")
	var once bool
	o.Progress = func(done, _ int) {
		if done > 0 && !once {
			once = true
			cancel()
		}
	}
	if _, err := Run(ctx, o); err != context.Canceled {
		t.Errorf("Run = %v, want that it was interrupted", err)
	}
}

// Every rule is quoted as it stands.
func TestRulesAreQuoted(t *testing.T) {
	texts := map[string]string{}
	for _, list := range []map[string]kind{kinds, packetKinds} {
		for key, k := range list {
			if texts[k.source] == "" {
				files := []string{strings.Replace(k.source, "{game}", "hextictactoe", 1)}
				if k.source == playHelp {
					files = []string{"cmd/hexarena/play.go", "config/table.go"}
				}
				for _, name := range files {
					text, err := os.ReadFile("../../" + name)
					if err != nil {
						t.Fatal(err)
					}
					texts[k.source] += strings.Join(strings.Fields(string(text)), " ")
				}
			}
			if !strings.Contains(texts[k.source], strings.Join(strings.Fields(k.rule), " ")) {
				t.Errorf("%s: %s does not say %q", key, k.source, k.rule)
			}
			if k.severity != Error && k.severity != Advice || k.remedy == "" {
				t.Errorf("%s is incomplete: %+v", key, k)
			}
		}
	}
}

// The report is the same as text and as JSON.
func TestReport(t *testing.T) {
	r := Report{
		Bot: "b\x1bot.py", Game: "hexabomb", Wire: "netorcai over TCP", Elapsed: 1500 * time.Millisecond,
		Cases: []CaseReport{{"", ordinary, Failed}, {"pieces", "messages in pieces", Skipped}},
		Faults: []Fault{
			{"no-stay", Advice, ordinary, "Its LOGIN has no stay.", "`stay`", specification, "Stay.", nil},
			{"crash", Error, ordinary, "It crashed.", "r", playerGuide, "Mend it.", []string{"Traceback"}},
		},
	}
	r.sort()
	var text, object strings.Builder
	if err := r.Write(&text, false, func(s string) string { return strings.ReplaceAll(s, "\x1b", "?") }); err != nil {
		t.Fatal(err)
	}
	want := "error crash, in ordinary play\n  found   It crashed.\n  rule    r (docs/player.md)\n  " +
		"remedy  Mend it.\n  printed\n    Traceback\n\n" +
		"advice no-stay, in ordinary play\n  found   Its LOGIN has no stay.\n  rule    `stay` " +
		"(protocol/netorcai/SPEC.md)\n  remedy  Stay.\n\n" +
		"b?ot.py (hexabomb, netorcai over TCP): 1 error, 1 piece of advice in 1 case, 1.5 s\n"
	if text.String() != want {
		t.Errorf("as text: %s, want %s", text.String(), want)
	}
	if err := r.Write(&object, true, nil); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal([]byte(object.String()), &again); err != nil || len(again.Faults) != 2 ||
		again.Faults[0].Output[0] != "Traceback" {
		t.Errorf("as JSON: %s, %v", object.String(), err)
	}
}
