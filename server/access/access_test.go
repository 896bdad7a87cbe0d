package access

import (
	"errors"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

const list = `
# role  token       nickname
player  AAAAAAAAAA  alice
player  BBBBBBBBBB        # any nickname
special CCCCCCCCCC  ghost
operator a-much-longer-token-for-the-operator
`

func mustRead(t testing.TB, text string) *List {
	t.Helper()
	l, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// loginRole returns the metaprotocol's role for a token's.
func loginRole(role Role) netorcai.Role {
	for r, of := range ofLogin {
		if of == role {
			return r
		}
	}
	return "none"
}

func TestLogin(t *testing.T) {
	l := mustRead(t, list)
	tests := []struct {
		role                  Role
		nickname, token, want string
		err                   error
	}{
		{Player, "x", "AAAAAAAAAA", "alice", nil},
		{Player, "AAAAAAAAAA", "", "alice", nil},
		{Player, "bob", "BBBBBBBBBB", "bob", nil},
		{Player, "BBBBBBBBBB", "", "player2", nil},
		{Player, "BBBBBBBBBB", "BBBBBBBBBB", "player2", nil},
		{Player, "CCCCCCCCCC", "BBBBBBBBBB", "player2", nil}, // the nickname is another token
		{Player, "alice", "BBBBBBBBBB", "", ErrReserved},
		{Player, "Alice", "BBBBBBBBBB", "", ErrReserved},
		{Player, "ａlice", "BBBBBBBBBB", "", ErrReserved},
		{Player, "alice\u200b", "BBBBBBBBBB", "", ErrReserved},
		{Player, "\u202ealice", "BBBBBBBBBB", "", ErrReserved},
		{Player, "alice\u00a0", "BBBBBBBBBB", "", ErrReserved},
		{Player, "alice\x00", "BBBBBBBBBB", "", ErrReserved},
		{Player, "alice", "", "", ErrNoToken},
		{Player, "AAAAAAAAAA", "DDDDDDDDDD", "", ErrNoToken},
		{Player, "ghost", "CCCCCCCCCC", "", ErrWrongRole},
		{Special, "x", "CCCCCCCCCC", "ghost", nil},
		{Visualization, "x", "AAAAAAAAAA", "", ErrWrongRole},
		{Player, "x", "a-much-longer-token-for-the-operator", "", ErrWrongRole},
	}
	for _, tt := range tests {
		name, key, err := l.Login(netorcai.Login{Role: loginRole(tt.role), Nickname: tt.nickname, Token: tt.token})
		if name != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Login(%s, %q, %q) = %q, %v; want %q, %v", tt.role, tt.nickname, tt.token, name, err,
				tt.want, tt.err)
		}
		if err == nil && (key == "" || strings.Contains(key+name, tt.token) && tt.token != "") {
			t.Errorf("Login(%s, %q, …) = %q, %q repeats the token", tt.role, tt.nickname, name, key)
		}
	}
	if !l.Operates("a-much-longer-token-for-the-operator") || l.Operates("AAAAAAAAAA") ||
		l.Operates("") {
		t.Error("only the operator's token must be an operator's")
	}
}

func TestListsThatAreWrong(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "the list contains no token"},
		{"# nothing", "the list contains no token"},
		{"king AAAAAAAAAA", `line 1: role "king": want player, special,`},
		{"player", "line 1: 1 words: want ROLE TOKEN [NICKNAME]"},
		{"player AAAAAAAAAA a b", "line 1: 4 words"},
		{"\nplayer short", "line 2: a token of 5 characters: want 10 to 200"},
		{"player AAAAAAAAAA alexander-the-great", "want at most 10 characters"},
		{"player AAAAAAAAAA a\u202eb", "line 1: nickname \"a\\u202eb\": the nickname has the character " +
			"U+202E"},
		{"player AAAAAAAAAA\nplayer AAAAAAAAAA", "line 2: the same token as in line 1"},
		{strings.Repeat("x", maxLine+1), "line 1: bufio.Scanner: token too long"},
		{strings.Repeat("a b\n", 100), "line 20: "},
	}
	for _, tt := range tests {
		_, err := Read(strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Read(%.40q) = %v, want %q", tt.text, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "AAAAAAAAAA") {
			t.Errorf("Read(%.40q) = %v repeats a token", tt.text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(list)
	f.Add("player AAAAAAAAAA x\x00\nplayer \xff")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read(strings.NewReader(text))
		if err == nil {
			_, _, _ = l.Login(netorcai.Login{Role: netorcai.RolePlayer, Nickname: text})
		}
	})
}

func TestNewTokensDiffer(t *testing.T) {
	a, b := NewToken(), NewToken()
	if a == b || len(a) != minToken {
		t.Errorf("tokens %q and %q", a, b)
	}
	l := mustRead(t, string(Append(nil, Player, a, "alice")))
	if name, _, err := l.Login(netorcai.Login{Role: netorcai.RolePlayer, Nickname: a}); err != nil ||
		name != "alice" {
		t.Errorf("Login = %q, %v", name, err)
	}
}
