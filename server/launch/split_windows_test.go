package launch

import (
	"errors"
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{"bot", []string{"bot"}},
		{"  python   my_bot.py ", []string{"python", "my_bot.py"}},
		{`C:\bots\x.exe "C:\my bots\y.py" it's`, []string{`C:\bots\x.exe`, `C:\my bots\y.py`, "it's"}},
		{`say \"hi\"`, []string{"say", `"hi"`}},
		{`""`, []string{""}},
	} {
		got, err := Split(tt.line)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("Split(%q) = %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
	for _, line := range []string{`"`, `a "b`, `"a\"`} {
		if got, err := Split(line); !errors.Is(err, ErrQuote) {
			t.Errorf("Split(%q) = %q, %v, want ErrQuote", line, got, err)
		}
	}
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		`C:\bots\x.py`: `C:\bots\x.py`,
		"":             `""`,
		`my bot "x"`:   `"my bot \"x\""`,
		`my bots\`:     `"my bots\\"`,
		"a&b":          `"a&b"`,
	} {
		if got := Quote([]string{word}); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}
