package launch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Of what programs print when they fail or hang, the message, the file and the line are shown.
func TestTelling(t *testing.T) {
	frames := func(format string, n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf(format, i))
		}
		return list
	}
	for _, tt := range []struct {
		name    string
		printed []string
		first   string   // of the lines that are shown
		shows   []string // parts of some of them
	}{
		{
			"a syntax error in Node", slices.Concat([]string{
				"/tmp/my_bot.js:17", "    foo(;", "        ^", "", "SyntaxError: Unexpected token ';'",
			}, frames("    at f%d (node:internal/modules/cjs/loader:1:2)",
				9), []string{"", "Node.js v20.20.2"}),
			"/tmp/my_bot.js:17",
			[]string{"    foo(;", "SyntaxError: "},
		},
		{
			"a panic in Go", slices.Concat([]string{
				"turn 3", "panic: assignment to entry in nil map", "", "goroutine 1 [running]:",
				"main.(*MyBot).Turn(...)", " /tmp/my_bot.go:17 +0x1d",
			}, frames(" frame %d", 30), []string{"exit status 2"}),
			"panic: assignment to entry in nil map",
			[]string{"my_bot.go:17", "exit status 2"},
		},
		{
			"a thread dump of a JVM", slices.Concat([]string{
				"Full thread dump OpenJDK", "", `"main" #1 prio=5`, "   java.lang.Thread.State: RUNNABLE",
				" at MyBot.turn(MyBot.java:16)", "",
			}, frames(`"GC Thread#%d" os_prio=0`, 100)),
			`"main" #1 prio=5`,
			[]string{"MyBot.java:16"},
		},
		{
			"a signal of Go", slices.Concat([]string{
				"SIGQUIT: quit", "", "goroutine 0 gp=0x1 m=3 [idle]:", "runtime.futex()", "",
				"goroutine 1 gp=0x2 m=nil [runnable]:", "main.(*MyBot).Turn()", " /tmp/my_bot.go:18", "",
			}, frames("goroutine %d0 gp=0x3 m=nil [idle]:", 20), frames("r%d 0x0", 20)),
			"goroutine 1 gp=0x2 m=nil [runnable]:",
			[]string{"my_bot.go:18"},
		},
		{
			"a stack of Python",
			append([]string{"turn 1", "Current thread 0x00 (most recent call first):"},
				frames(`  File "my_bot.py", line %d in turn`, 40)...),
			"Current thread 0x00 (most recent call first):",
			[]string{`"my_bot.py", line 0`},
		},
		{
			"an exception of Python",
			slices.Concat([]string{"Traceback (most recent call last):"}, frames("  File %d", 40),
				[]string{"KeyError: 'x'"}),
			"  File 31",
			[]string{"KeyError: 'x'"},
		},
		{
			"a panic in Go that the kit prints", []string{
				"panic: assignment to entry in nil map", "", "goroutine 1 [running]:", "runtime/debug.Stack()",
				" /usr/local/go/src/runtime/debug/stack.go:26 +0x5e",
				"main.Run[...].func1()", " /tmp/hexarena.go:56 +0x2b", "panic({0x675460?, 0x8d4350?})",
				" /usr/local/go/src/runtime/panic.go:860 +0x12c",
				"main.(*MyBot).Turn(0x1, {{0x2}})", " /tmp/my_bot.go:19 +0x1d", "main.(*client[...]).turn()",
				" /tmp/hexarena.go:659", "main.main()", " /tmp/my_bot.go:10",
			}, "panic: assignment to entry in nil map", []string{"/tmp/my_bot.go:19"},
		},
		{
			"an exception that a kit prints",
			slices.Concat([]string{"turn 3", "java.lang.ArrayIndexOutOfBoundsException: Index 5"},
				frames(" at MyBot.f(MyBot.java:%d)", 40)),
			"java.lang.ArrayIndexOutOfBoundsException: Index 5",
			[]string{"MyBot.java:0"},
		},
		{
			"an exception of a JVM",
			slices.Concat([]string{`Exception in thread "main" java.lang.ArithmeticException: / by zero`},
				frames(" at MyBot.f(MyBot.java:%d)", 40)),
			`Exception in thread "main" java.lang.ArithmeticException: / by zero`,
			[]string{"MyBot.java:0"},
		},
		{
			"a panic in Rust",
			[]string{
				"turn 1", "thread 'main' (7) panicked at my_bot.rs:23:9:", "index out of bounds",
				"note: run with `RUST_BACKTRACE=1`",
			},
			"thread 'main' (7) panicked at my_bot.rs:23:9:",
			[]string{"index out of bounds"},
		},
		{"anything else", frames("line %d", 30), "line 20", []string{"line 29"}},
		{"nothing", nil, "", nil},
	} {
		lines := Telling(tt.printed)
		if len(lines) > tellingLines || len(lines) > 0 && lines[0] != tt.first ||
			len(lines) == 0 && tt.printed != nil {
			t.Errorf("%s: %q, want at most %d lines from %q on", tt.name, lines, tellingLines, tt.first)
		}
		for _, want := range tt.shows {
			if !strings.Contains(strings.Join(lines, "\n"), want) {
				t.Errorf("%s: %q lacks %q", tt.name, lines, want)
			}
		}
	}
}
