package nickname

import (
	"errors"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

func TestCheck(t *testing.T) {
	for name, want := range map[string]error{
		"alice":                nil,
		"Ålice":                nil,
		"爱丽丝":                  nil,
		"#1 fan":               nil,
		"a\u00a0b":             nil, // netorcai accepts it as well
		"👩\u200d🚀":             nil,
		"می\u200cخواهم":        nil,
		"\u2764\ufe0f":         nil,
		"alice\u200b":          CharacterError('\u200b'),
		"\ufeffalice":          CharacterError('\ufeff'),
		"a\u00adlice":          CharacterError('\u00ad'),
		"alice\x00":            CharacterError(0),
		"al\x1bice":            CharacterError(0x1b),
		"alice\x7f":            CharacterError(0x7f),
		"alice\u009b":          CharacterError(0x9b),
		"alice\u2028":          CharacterError('\u2028'),
		"alice\U000e0041":      CharacterError(0xe0041),
		"\u2800\u3164\u200d":   ErrInvisible,
		"\u00a0":               ErrInvisible,
		"\ufe0f":               ErrInvisible,
		"a\u034f\u115f\u17b4b": nil,
	} {
		if err := Check(name); !errors.Is(err, want) {
			t.Errorf("Check(%q) = %v, want %v", name, err, want)
		}
	}
	// bidi controls
	for _, r := range "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c" {
		if err := Check("ab" + string(r)); err != CharacterError(r) {
			t.Errorf("Check with %U = %v", r, err)
		}
	}
}

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"alice", "Alice", "ALICE", "ａｌｉｃｅ", "ⓐlice", "alice\u200d", "al\ufe0fice", "alice\u00a0", "alice\u3164", "a\u034flice"},
		{"straße", "STRASSE", "strasſe"},
		{"é", "e\u0301", "É"},
		{"ﬁx", "fix"},
		{"Σίσυφος", "σίσυφοσ"},
		{"alice", "аlісе", "ALICE", "АLІСЕ", "αlιce", "alıce"},
		{"ёлка", "ëлка"},
	} {
		for _, name := range same {
			if got, want := Fold(name), Fold(same[0]); got != want {
				t.Errorf("Fold(%q) = %q, want %q as of %q", name, got, want, same[0])
			}
		}
	}
	if Fold("alice") == Fold("alise") {
		t.Error("names that differ are the same")
	}
}

func FuzzFold(f *testing.F) {
	f.Add("ａlice\u200b")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, name string) {
		if folded := Fold(name); Fold(folded) != folded {
			t.Errorf("Fold(%q) = %q, and of that %q", name, folded, Fold(folded))
		}
		_ = Check(name)
	})
}

// renaming is a gate that gives all clients the same name.
type renaming string

func (r renaming) Login(m netorcai.Login) (nickname, key string, err error) {
	if m.Token == "" {
		return "", "", errors.New("no token")
	}
	return string(r), "key", nil
}

func TestGate(t *testing.T) {
	for _, tt := range []struct {
		gate      Gate
		login     netorcai.Login
		want, key string
		err       string
	}{
		{Gate{}, netorcai.Login{Nickname: "ann"}, "ann", "", ""},
		{Gate{}, netorcai.Login{Nickname: "an\u202en"}, "", "", "the nickname has the character U+202E"},
		{Gate{renaming("bob")}, netorcai.Login{Nickname: "an\u202en", Token: "x"}, "bob", "key", ""},
		{Gate{renaming("b\u200b")}, netorcai.Login{Nickname: "ann", Token: "x"}, "", "", "U+200B"},
		{Gate{renaming("bob")}, netorcai.Login{Nickname: "an\u202en"}, "", "", "no token"},
	} {
		name, key, err := tt.gate.Login(tt.login)
		if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) ||
			tt.err == "" && (err != nil || name != tt.want || key != tt.key) {
			t.Errorf("Login(%+v) = %q, %q, %v; want %q, %q, %q", tt.login, name, key, err, tt.want, tt.key,
				tt.err)
		}
	}
}

// In each match of a series a player keeps its name, whatever the order of logins, and no
// two players have the same name.
func TestNamesOfASeries(t *testing.T) {
	n := NewNames()
	play := func(candidates ...match.Candidate) (names []string) {
		var f match.Frame
		for _, c := range candidates {
			c.Nickname = n.Name(c, names)
			names = append(names, c.Nickname)
			f.Table.Seats = append(f.Table.Seats, match.SeatInfo{Candidate: c})
		}
		n.Started(&f)
		return names
	}
	from := func(host, nickname, key string) match.Candidate {
		return match.Candidate{Nickname: nickname, Remote: host + ":1", Key: key}
	}
	for i, tt := range []struct {
		candidates []match.Candidate
		want       string
	}{
		{[]match.Candidate{
			from("10.0.0.1", "my_bot", ""), from("10.0.0.2", "my_bot", ""), from("10.0.0.2", "My_Bot", ""),
		}, "my_bot my_bot#2 My_Bot#3"},
		{[]match.Candidate{
			from("10.0.0.2", "my_bot", ""), from("10.0.0.3", "my_bot", ""), from("10.0.0.1", "my_bot", ""),
		}, "my_bot#2 my_bot#4 my_bot"},
		{[]match.Candidate{
			from("10.0.0.9", "alexandria", "k"), from("10.0.0.9", "alexandria", "l"),
		}, "alexandria alexandr#2"},
		{[]match.Candidate{
			from("10.0.0.8", "alexandria", "l"), from("10.0.0.8", "alexandria", "k"),
		}, "alexandr#2 alexandria"},
	} {
		if got := strings.Join(play(tt.candidates...), " "); got != tt.want {
			t.Errorf("match %d: %s, want %s", i+1, got, tt.want)
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"Go 1.26":                "Go 1.26",
		" C\n++\t":               "C++",
		"\x1b[31mred\u202edexif": "[31mreddexif",
		"بي\u200cثون":            "بي\u200cثون",
		"\xff":                   "\uFFFD",
		"日本語日本語日本語日本語日本":      "日本語日本語日本語日本語",
		"\u0085\u2028 \u2029": "",
	} {
		if got := Clean(text, 12); got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
	}
}
