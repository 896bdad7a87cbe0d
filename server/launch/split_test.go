package launch

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		line    string
		escapes bool
		want    []string
	}{
		{"", true, nil},
		{" \t ", true, nil},
		{"bot", true, []string{"bot"}},
		{"  python3   my_bot.py ", true, []string{"python3", "my_bot.py"}},
		{`sh 'my bot' "and more"`, true, []string{"sh", "my bot", "and more"}},
		{`a"b c"d'e f'`, true, []string{"ab cde f"}},
		{`'' ""`, true, []string{"", ""}},
		{`"say \"hi\" \n" 'no \ "escape"'`, true, []string{`say "hi" \n`, `no \ "escape"`}},
		{`my\ bot \"x\"`, true, []string{"my bot", `"x"`}},
		{`end\`, true, []string{`end\`}},
		{`$HOME | ; & > {port} *`, true, []string{"$HOME", "|", ";", "&", ">", "{port}", "*"}},
		{`C:\bots\x.exe "C:\my bots\y.py" it's`, false, []string{`C:\bots\x.exe`, `C:\my bots\y.py`, "it's"}},
		{`say \"hi\"`, false, []string{"say", `"hi"`}},
	} {
		got, err := split(tt.line, tt.escapes)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("split(%q, %v) = %q, %v, want %q", tt.line, tt.escapes, got, err, tt.want)
		}
	}
	for _, line := range []string{`"`, `a 'b`, `"a\"`} {
		if got, err := split(line, true); !errors.Is(err, ErrQuote) {
			t.Errorf("split(%q) = %q, %v, want ErrQuote", line, got, err)
		}
	}
}

// TestQuote checks that quoted words split into the same words.
func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n'\"\\${}*é")))).Draw(t, "words")
		line := quoteAll(words, true)
		if got, err := split(line, true); err != nil || !slices.Equal(got, words) {
			t.Fatalf("split(%q) = %q, %v, want %q", line, got, err, words)
		}
	})
	for _, tt := range []struct {
		word    string
		escapes bool
		want    string
	}{
		{"my_bot.py", true, "my_bot.py"},
		{"", true, "''"},
		{"it's", true, `'it'\''s'`},
		{"bot {port}", true, "'bot {port}'"},
		{`C:\bots\x.py`, false, `C:\bots\x.py`},
		{`my bot "x"`, false, `"my bot \"x\""`},
		{`my bots\`, false, `"my bots\\"`},
	} {
		if got := quote(tt.word, tt.escapes); got != tt.want {
			t.Errorf("quote(%q, %v) = %s, want %s", tt.word, tt.escapes, got, tt.want)
		}
	}
}
