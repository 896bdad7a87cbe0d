package jsonscan

import (
	"encoding/json"
	"testing"
)

func TestWriter(t *testing.T) {
	write := func(buf []byte, last string) []byte {
		w := Writer(append(buf, '{'))
		w.Int("n", -1)
		w.Open("list", '[')
		w.Open("", '{')
		w.Close('}')
		w.String("", "a<b")
		w.Int("", 2)
		w.Close(']')
		w.Raw("raw", []byte(`{"x":[]}`))
		w.Hex("hex", []byte{0, 255})
		w.String("s", last)
		w.Close('}')
		return w
	}
	const want = `{"n":-1,"list":[{},"a<b",2],"raw":{"x":[]},"hex":"00ff","s":`
	for s, text := range map[string]string{
		"": `""`, "plain": `"plain"`, "\x7f": "\"\x7f\"", `a"\`: `"a\"\\"`, "\n": `"\n"`,
		"é<": `"é\u003c"`, "\xff": `"\ufffd"`,
	} {
		if got := string(write(nil, s)); got != want+text+"}" || !json.Valid([]byte(got)) {
			t.Errorf("with %q, the text is %s", s, got)
		}
	}
	buf := make([]byte, 0, 1000)
	if n := testing.AllocsPerRun(10, func() { buf = write(buf[:0], "plain") }); n > 0 {
		t.Errorf("%v allocations, want 0", n)
	}
	var w Writer
	w.Open("", '[')
	w.JSON("", []string{"<"})
	w.Int("", 0)
	if w.Close(']'); string(w) != `[["\u003c"],0]` {
		t.Errorf("the text is %s", w)
	}
}
