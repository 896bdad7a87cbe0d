package script

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
)

func init() { Serve(games.List{hexabomb.Game(), hextictactoe.Game()}) }

// patience is the time that a script may take to do something, on a busy machine too.
const patience = time.Minute

// child is a script that runs, with its ends of the pipes.
type child struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	printed printed
}

// printed is the output of a script on standard error.
type printed struct {
	text  bytes.Buffer
	once  sync.Once
	begun chan struct{} // closed with its first bytes
}

// Write implements io.Writer.
func (p *printed) Write(text []byte) (int, error) {
	p.once.Do(func() { close(p.begun) })
	return p.text.Write(text)
}

// String returns all of it.
func (p *printed) String() string { return p.text.String() }

// start starts a script, in a folder with other files: their names and contents by turns.
func start(t *testing.T, memory int, name, source string, others ...string) *child {
	t.Helper()
	dir := t.TempDir()
	files := append([]string{name, source}, others...)
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	argv, err := Command(filepath.Join(dir, name), memory)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	c := &child{t: t, cmd: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	c.cmd.Env = append(os.Environ(), "BOT_NICKNAME=bot", "BOT_SEED=1")
	c.printed.begun = make(chan struct{})
	c.cmd.Stderr = &c.printed
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	return c
}

func (c *child) send(lines ...string) {
	for _, line := range lines {
		_, _ = io.WriteString(c.in, line+"\n") // a child that has ended is noticed when it is read
	}
}

// receive returns the next message.
func (c *child) receive() (m struct {
	Type    string            `json:"message_type"`
	Turn    int               `json:"turn_number"`
	Actions []json.RawMessage `json:"actions"`
},
) {
	c.t.Helper()
	line, err := c.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil {
		_ = c.cmd.Wait()
		c.t.Fatalf("no message: %v; it printed\n%.2000s", err, &c.printed)
	}
	return m
}

// begin receives the LOGIN and starts a match.
func (c *child) begin() {
	c.t.Helper()
	if m := c.receive(); m.Type != "LOGIN" {
		c.t.Fatalf("the first message is %s", m.Type)
	}
	c.send(`{"message_type":"LOGIN_ACK","metaprotocol_version":"2.0.0"}`,
		`{"message_type":"GAME_STARTS","player_id":0,"nb_players":2,"nb_special_players":0,"nb_turns_max":9,`+
			`"milliseconds_before_first_turn":0,"milliseconds_between_turns":0,"initial_game_state":{},"players_info":[],"match":1,"seed":7}`)
}

const (
	turn0  = `{"message_type":"TURN","turn_number":0,"game_state":{"n":0},"players_info":[]}`
	turn1  = `{"message_type":"TURN","turn_number":1,"game_state":{"n":1},"players_info":[]}`
	over0  = `{"message_type":"TURN_OVER","turn_number":0}`
	ends   = `{"message_type":"GAME_ENDS","winner_player_id":-1,"game_state":{}}`
	kicked = `{"message_type":"KICK","kick_reason":"Game is finished"}`
)

// exit waits for the end, and returns the exit code and what was printed.
func (c *child) exit() (int, string) {
	c.t.Helper()
	_ = c.in.Close()
	_, _ = io.Copy(io.Discard, c.out)
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode(), c.printed.String()
}

// lapse begins turns and ends them without an answer, until the script ends: the end of a turn may
// come before the script is in the function that it stays in.
func (c *child) lapse() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, c.out)
	}()
	for turn := 0; ; turn++ {
		c.send(fmt.Sprintf(`{"message_type":"TURN","turn_number":%d,"game_state":{}}`, turn))
		select {
		case <-ended:
			return
		case <-time.After(20 * time.Millisecond):
		}
		c.send(fmt.Sprintf(`{"message_type":"TURN_OVER","turn_number":%d}`, turn))
	}
}

// kit returns a script with the kit and a bot's method turn.
func kit(turn string) string {
	return "const { run } = require(\"./hexarena.js\");\nclass Bot {\n  async turn(state) " +
		"{ " + turn + " }\n}\nrun(Bot);\n"
}

// Scripts of all forms play a match.
func TestForms(t *testing.T) {
	t.Parallel()
	const class = "class Bot { turn() { return [answer] } }\n"
	for name, tt := range map[string]struct {
		file, source string
		others       []string
	}{
		"CommonJS": {"bot.js", "const { run } = require('./hexarena');\nconst { answer } = " +
			"require('./lib/part.js');\n" + class + "run(Bot)", []string{
			"lib/part.js", "exports.answer = require('./table.json')[1]", "lib/table.json", "[1,2]",
		}},
		"module": {"bot.mjs", "import { run } from './hexarena.js';\nimport answer, { other } " +
			"from './part.mjs';\n" + class + "if (other !== 3) throw 1; run(Bot)", []string{
			"part.mjs", "export default 2; export const other = 3;",
		}},
		"main": {"bot.js", "const answer = require('./part.js');\n" + class +
			"if (require.main === module) require('./hexarena').run(Bot)", []string{
			"part.js", "module.exports = require.main === module ? 0 : 2;",
		}},
		"module in .js": {"bot.js", "import './hexarena.js';\nconst answer = await new " +
			"Promise((resolve) => setTimeout(resolve, 2, 2));\n" + class + "hexarena.run(Bot)", nil},
		"dynamic": {"bot.js", "const { run } = " +
			"require('./hexarena.js');\nimport('./part.mjs').then(({ answer }) => { globalThis.answer = " +
			"answer; });\n" + class + "run(Bot)", []string{"part.mjs", "export const answer = 2;"}},
		"first line": {"bot.js", "#!/usr/bin/env node\nconst answer = 2; const { run } = " +
			"require('./hexarena.js');\n" + class + "run(Bot)", nil},
		"a promise": {"bot.js", "const { run } = require('./hexarena.js');\nrun(class { async " +
			"turn() { await new Promise((resolve) => setTimeout(resolve, 5)); return [2] } })", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, 64, tt.file, tt.source, tt.others...)
			c.begin()
			c.send(turn0)
			if m := c.receive(); m.Type != "TURN_ACK" || len(m.Actions) != 1 || string(m.Actions[0]) != "2" {
				t.Errorf("the answer is %+v", m)
			}
			c.send(ends, kicked)
			if code, printed := c.exit(); code != 0 || printed != "" {
				t.Errorf("it ends with %d and prints\n%s", code, printed)
			}
		})
	}
}

// A turn that does not end is interrupted when the match goes on, and the bot gets the next one.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]string{
		"loop":       "while (state.n === 0) {}",
		"promise":    "if (state.n === 0) await new Promise(() => {});",
		"microtasks": "while (state.n === 0) await null;",
		"late answer": "if (state.n === 0) return new Promise((resolve) => setTimeout(resolve, " +
			"50, [9]));",
		"timer": "if (state.n === 0) { setTimeout(() => { console.log('begins'); for (;;) {} }, 1); " +
			"await new Promise(() => {}); }",
		"arrays in arrays": "if (state.n === 0) { let a = [1]; for (let i = 0; i < 28; i++) a = [a, " +
			"a]; console.log(a); }",
		"caught for ever": "while (state.n === 0) { try { for (;;) {} } catch {} finally { continue; " +
			"} }",
		"many lines":        "while (state.n === 0) console.log('x'.repeat(1e5));",
		"sort of its own":   "if (state.n === 0) [1, 2, 3].sort(() => { for (;;) {} });",
		"regular, in parts": "while (state.n === 0) /a+$/.test('a'.repeat(1e4) + 'b');",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(turn, "'begins'") {
				turn = "console.log('begins'); " + turn
			}
			c := start(t, 128, "bot.js", kit(turn+" return [state.n];"))
			c.begin()
			c.send(turn0)
			<-c.printed.begun // a turn that is over earlier never comes to what it is to be interrupted in
			c.send(over0)
			if m := c.receive(); m.Turn != 0 || len(m.Actions) != 0 {
				t.Errorf("the answer to turn 0 is %+v", m)
			}
			c.send(turn1)
			if m := c.receive(); m.Turn != 1 || len(m.Actions) != 1 {
				t.Errorf("the answer to turn 1 is %+v", m)
			}
			c.send(ends, kicked)
			if code, printed := c.exit(); code != 0 || len(printed) > 2*maxPrinted {
				t.Errorf("it ends with %d and prints %d bytes", code, len(printed))
			}
		})
	}
}

// A script that goes too far ends with a sentence that says so, and only its process does.
func TestBounds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ turn, says string }{
		"memory": {"const all = []; for (;;) all.push(new " +
			"Array(1000).fill(1));", "bot.js uses more than 64 MiB of memory"},
		"a large array": {"return new Float64Array(1e8);", "bot.js uses more than 64 MiB of memory"},
		"saved positions": {"const { Simulator, testMatch } = require('./hexarena.js'); for (;;) { " +
			"const s = new Simulator(testMatch('0' + '.'.repeat(999) + '1').match); for (let i = 0; i < " +
			"4096; i++) await s.save(String(i)); (globalThis.all ??= []).push(s); }", "bot.js uses more " +
			"than 64 MiB of memory"},
		"timers": {"for (let i = 0; i < 1e6; i++) setTimeout(() => {}, 1e6); await new " +
			"Promise(() => {});", "bot.js uses more than 64 MiB of memory"},
		"nesting": {"let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return " +
			"[String(a)];", "bot.js uses more than 64 MiB of memory"},
		"recursion": {"const f = () => 1 + f(); return [f()];", "RangeError: Maximum call stack size " +
			"exceeded\n    at f (BOT:3:"},
		"long search": {"Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);", "was over, in a " +
			"function that cannot be interrupted"},
		"long search back": {"Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, " +
			"1);", "was over, in a function"},
		"regular expression": {"/^(?=a)(a+)+$/.test('a'.repeat(60) + 'b');", "was over, in a function"},
		"exception": {"return state.a.b;", "BOT:3\n  async turn(state) { return state.a.b; " +
			"}\n\nTypeError: Cannot read property 'b' of undefined\n    at turn (BOT:3:"},
		"rejection":   {"Promise.reject(new Error('lost')); return [];", "Error: lost\n    at turn (BOT:3:"},
		"thrown text": {"throw 'text';", "Uncaught text"},
		"poison": {"for (const c of [Array, Object, String, Promise, JSON, Map]) for (const " +
			"o of [c, c.prototype]) if (o) for (const k of Object.getOwnPropertyNames(o)) try { o[k] = () " +
			"=> { throw 'poisoned' } } catch {}\nreturn [];", "poisoned"},
		"an odd answer": {"JSON.stringify = () => 'a\\nb'; return [{ toJSON() { return 1 } }];", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, 64, "bot.js", kit(tt.turn))
			c.begin()
			if strings.Contains(tt.says, "was over") {
				c.lapse()
			}
			c.send(turn0)
			if tt.says == "" {
				c.receive()
				return
			}
			_, _ = io.Copy(io.Discard, c.out)
			code, printed := c.exit()
			says := strings.ReplaceAll(tt.says, "BOT",
				filepath.Join(filepath.Dir(c.cmd.Args[len(c.cmd.Args)-1]), "bot.js"))
			if code != 1 || !strings.Contains(printed, says) {
				t.Errorf("it ends with %d and prints\n%.3000s", code, printed)
			}
		})
	}
}

// A script that cannot begin says why.
func TestNoBot(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ source, says string }{
		"syntax": {"const a = 1;\nlet b = a..c;\n", "BOT:2\nlet b = a..c;\n         " +
			"^\n\nSyntaxError: Unexpected token"},
		"no run": {"const a = 1;\n", "bot.js does not call run(Bot)"},
		"a module of Node": {"const fs = require(\"fs\");\n", "no module \"fs\" here: hexarena's own " +
			"JavaScript has the language and the files beside the bot, none of Node's modules; with Node, " +
			"hexarena join runs it on your machine"},
		"imported":        {"import net from \"node:net\";\n", "no module \"node:net\" here"},
		"a missing file":  {"require(\"./other.js\");\n", "no module \"./other.js\" beside bot.js"},
		"outside":         {"require(\"../secret.json\");\n", "no module \"../secret.json\" beside bot.js"},
		"a computed name": {"require(\"./\" + \"part.js\");\n", "a file has to be named by a literal"},
		"an exception":    {"null.a;\n", "BOT:1\nnull.a;\n\nTypeError"},
		"never":           {"await new Promise(() => {});\nexport {};\n", "bot.js waits for something that does not come"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, 64, "bot.js", tt.source, "part.js", "")
			code, printed := c.exit()
			says := strings.ReplaceAll(tt.says, "BOT", c.cmd.Args[len(c.cmd.Args)-1])
			if code != 1 || !strings.Contains(printed, says) {
				t.Errorf("it ends with %d and prints\n%.3000s", code, printed)
			}
		})
	}
}

// A script sees nothing of the process, and no clock finer than Date's.
func TestNothingOutside(t *testing.T) {
	t.Parallel()
	c := start(t, 64, "bot.js", kit(`
		const names = ["process", "Buffer", "fetch", "WebSocket", "XMLHttpRequest", "Worker", "SharedArrayBuffer", "Deno", "Bun", "navigator", "location"];
		const now = performance.now();
		return [names.filter((name) => globalThis[name] !== undefined).join(), Number.isInteger(now), typeof Date.now()];`))
	c.begin()
	c.send(turn0)
	if m := c.receive(); len(m.Actions) != 3 || string(m.Actions[0]) != `""` ||
		string(m.Actions[1]) != "true" {
		t.Errorf("it finds %s", m.Actions)
	}
}
