//go:build !windows

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
		{" \t ", nil},
		{"bot", []string{"bot"}},
		{"  python3   my_bot.py ", []string{"python3", "my_bot.py"}},
		{`sh 'my bot' "and more"`, []string{"sh", "my bot", "and more"}},
		{`a"b c"d'e f'`, []string{"ab cde f"}},
		{`'' ""`, []string{"", ""}},
		{`"say \"hi\" \n" 'no \ "escape"'`, []string{`say "hi" \n`, `no \ "escape"`}},
		{`my\ bot \"x\"`, []string{"my bot", `"x"`}},
		{`end\`, []string{`end\`}},
		{`$HOME | ; & > {port} *`, []string{"$HOME", "|", ";", "&", ">", "{port}", "*"}},
	} {
		got, err := Split(tt.line)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("Split(%q) = %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
	for _, line := range []string{`"`, `a 'b`, `"a\"`} {
		if got, err := Split(line); !errors.Is(err, ErrQuote) {
			t.Errorf("Split(%q) = %q, %v, want ErrQuote", line, got, err)
		}
	}
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"my_bot.py":  "my_bot.py",
		"":           "''",
		"it's":       `'it'\''s'`,
		"bot {port}": "'bot {port}'",
	} {
		if got := Quote([]string{word}); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}
