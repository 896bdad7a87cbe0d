package similar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
)

// The example of figure 2 of the paper by Schleimer, Wilkerson and Aiken.
func TestWinnow(t *testing.T) {
	hashes := []uint64{77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98}
	if got := winnow(hashes, 4); !slices.Equal(got, []int{3, 6, 8, 11, 15}) {
		t.Errorf("the places %v are selected", got)
	}
	for n, want := range map[int][]int{0: nil, 1: {0}, 3: {2}, 4: {3}} {
		if got := winnow(hashes[:n], 4); !slices.Equal(got, want) {
			t.Errorf("of %d hashes the places %v are selected, want %v", n, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.py", "def f(x): # it's a comment\n\treturn x + 1.5e3\n", `def a ( a ) : return a + 1`},
		{"a.py", "'''it's\n'''\ns = 'it\\'s' # '\n", `" a = "`},
		{"a.js", "/* it's */ let a = `x\n'`; // 'y\nb('", "let a = \" a ( \""},
		{"a.rs", "fn f<'a>(c: &'a char) { c == 'x' }", `fn a < ' a > ( a : & ' a a ) { a = = " }`},
		{"a.go", "func f() { x := 'y' }", `func a ( ) { a : = " }`},
		{"a.cpp", "for (int i = 0; i < 10; ++i) f(\"é\"", `for ( a a = 1 a < 1 + + a ) a ( "`},
		{"a.java", "/* never ends", ``},
		{"a.py", "'''never ends", `"`},
	} {
		var got []string
		for _, one := range tokens(File{c.name, []byte(c.text)}) {
			got = append(got, one.text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q has the tokens\n%s\nwant\n%s", c.name, c.text, text, c.want)
		}
	}
}

// program is a bot of a test, as functions whose statements are drawn from a seed.
type program struct {
	seed      uint64
	functions int
}

// style says how a program is written.
type style struct {
	names    string // the beginning of all names
	order    uint64 // of the functions
	comments string
	indent   string
	apart    bool // braces have lines of their own
}

// write returns a program in the language of an extension.
func (p program) write(ext string, s style) string {
	var list []string
	for i := range p.functions {
		w := &writer{
			rng: rand.New(rand.NewPCG(p.seed, uint64(i))), style: s, python: ext == ".py",
		}
		head := map[string]string{
			".py": "def %sf%d(%[1]sa, %[1]sb)", ".go": "func %sf%d(%[1]sa, %[1]sb int) int",
			".rs": "fn %sf%d(%[1]sa: i64, %[1]sb: i64) -> i64", ".js": "function %sf%d(%[1]sa, %[1]sb)",
		}[ext]
		if head == "" {
			head = "static int %sf%d(int %[1]sa, int %[1]sb)"
		}
		w.block(fmt.Sprintf(head, s.names, i), "", 3)
		list = append(list, w.text.String())
	}
	rng := rand.New(rand.NewPCG(s.order, 0))
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return strings.Join(list, "\n")
}

// writer writes a function.
type writer struct {
	style
	rng    *rand.Rand
	python bool
	text   strings.Builder
}

func (w *writer) linef(indent, format string, args ...any) {
	fmt.Fprintf(&w.text, indent+format+"\n", args...)
}

func (w *writer) name() string { return fmt.Sprint(w.names, "v", w.rng.IntN(9)) }

// value returns an expression.
func (w *writer) value(depth int) string {
	switch n := w.rng.IntN(6); {
	case depth == 0 || n == 0:
		return w.name()
	case n == 1:
		return fmt.Sprint(w.rng.IntN(100))
	case n == 2:
		return fmt.Sprintf("%sg%d(%s, %s)", w.names, w.rng.IntN(9), w.value(depth-1), w.value(depth-1))
	case n == 3:
		return fmt.Sprintf("%s[%s]", w.name(), w.value(depth-1))
	}
	sign := []string{"+", "-", "*", "/", "%%", "&", "|", "<", ">"}[w.rng.IntN(8)]
	return fmt.Sprintf("(%s %s %s)", w.value(depth-1), strings.ReplaceAll(sign, "%%", "%"),
		w.value(depth-1))
}

// block writes a head with statements.
func (w *writer) block(head, indent string, depth int) {
	comment := map[bool]string{true: "# ", false: "// "}[w.python]
	switch {
	case w.python:
		w.linef(indent, "%s:", head)
	case w.apart:
		w.linef(indent, "%s", head)
		w.linef(indent, "{")
	default:
		w.linef(indent, "%s {", head)
	}
	in := indent + w.indent
	for range 3 + w.rng.IntN(4) {
		switch n := w.rng.IntN(5); {
		case n == 0 && depth > 0:
			w.linef(in, "%s%s", comment, w.comments)
			w.block("if ("+w.value(2)+")", in, depth-1)
		case n == 1 && depth > 0:
			w.block("while ("+w.value(1)+" < "+w.value(2)+")", in, depth-1)
		default:
			end := ";"
			if w.python {
				end = ""
			}
			w.linef(in, "%s = %s%s", w.name(), w.value(3), end)
		}
	}
	w.linef(in, "return %s", w.value(2))
	if !w.python {
		w.linef(indent, "}")
	}
}

// Ten copies with other names, comments, formats and orders of functions are the first of the pairs
// of 60 versions, all of which have the starter; two bots that are the starter with a few lines are
// no pair.
func TestFind(t *testing.T) {
	var base []File
	for _, k := range kits.All {
		for _, name := range append(slices.Clone(k.Library), k.Starters["hexabomb"]) {
			base = append(base, File{name, k.File(name)})
		}
	}
	var versions []Version
	add := func(k *kits.Kit, own string) {
		text := string(k.File(k.Starters["hexabomb"])) + "\n" + own
		versions = append(versions, Version{
			Team: len(versions), Files: []File{{"bot" + k.Extension, []byte(text)}},
		})
	}
	kit := func(i int) *kits.Kit { return kits.All[i%len(kits.All)] }
	for i := range 48 {
		own := style{names: fmt.Sprint("t", i), order: uint64(i), comments: "my own", indent: "\t"}
		add(kit(i), program{uint64(i), 4 + i%4}.write(kit(i).Extension, own))
	}
	for i := range 10 {
		copied := style{
			names: "renamed_", order: 99, comments: "other words", indent: "    ", apart: true,
		}
		add(kit(i), program{uint64(i), 4 + i%4}.write(kit(i).Extension, copied))
	}
	honest := len(versions)
	add(kit(0), "def nearest(cells, me):\n    return min(cells, key=lambda c: abs(c - me))\n")
	add(kit(0), "def best(moves):\n    for m in moves:\n        if m.safe:\n            return m\n")
	pairs := Find(versions, base, func(int, int) {})
	if len(pairs) != 10 {
		t.Fatalf("there are %d pairs", len(pairs))
	}
	for i, p := range pairs {
		if p.B != p.A+48 || p.B >= honest {
			t.Errorf("pair %d is of %d and %d, with a share of %.2f", i+1, p.A, p.B, p.Share)
		}
		starter := strings.Count(string(kit(p.A).File(kit(p.A).Starters["hexabomb"])), "\n")
		if p.Share < 0.8 || len(p.Lines[0]) == 0 || p.Lines[0][0].First < starter-gram {
			t.Errorf("the share of %d and %d is %.2f, in the lines %+v", p.A, p.B, p.Share, p.Lines)
		}
	}
}
