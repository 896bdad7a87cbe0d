// Package access decides which clients may take part in matches and which may operate
// them, by tokens that the operator distributes. Without a list of tokens every client may.
//
// A client sends its token in an extra field of its LOGIN or, if it cannot be changed, as
// its nickname: the tokens of this package are short enough for that, and the list contains
// the nickname to use instead. The package keeps only digests of tokens, compares them in
// constant time, and never repeats a token. It starts no goroutine; a List is immutable.
package access

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/nickname"
)

// Role is the role that a token is for.
type Role string

// The roles.
const (
	Player        Role = "player"
	Special       Role = "special"
	Visualization Role = "visualization"
	Logic         Role = "logic" // an external game logic
	Operator      Role = "operator"
)

var roles = []Role{Player, Special, Visualization, Logic, Operator}

// Reasons to refuse a client. The texts are for peers.
var (
	// ErrNoToken contains "token is needed", by which published starters recognize it.
	ErrNoToken   = errors.New("a token is needed here, in the field token of LOGIN or as the nickname")
	ErrWrongRole = errors.New("the token is for another role")
	ErrReserved  = errors.New("the nickname is reserved for another token")
)

// digest is the digest of a token.
type digest [sha256.Size]byte

func digestOf(token string) digest { return sha256.Sum256([]byte(token)) }

// entry is one token.
type entry struct {
	role     Role
	digest   digest
	nickname string // reserved for the token; may be empty
	reserved string // nickname after folding
}

// List holds all tokens of a server.
type List struct{ entries []entry }

// Grant is the result of admitting a client.
type Grant struct {
	Nickname string // the nickname to use
	Key      string // identifies the client; contains no secret
}

// Admit decides on a client that wants a role, by the token that it sent or, if it sent
// none, by its nickname. The error is one of ErrNoToken, ErrWrongRole and ErrReserved.
func (l *List) Admit(role Role, nickname, token string) (Grant, error) {
	token = cmp.Or(token, nickname)
	asNickname := l.find(nickname) >= 0 // also if the token was sent in both fields, so that it is not shown
	at := l.find(token)
	switch {
	case at < 0:
		return Grant{}, ErrNoToken
	case l.entries[at].role != role:
		return Grant{}, ErrWrongRole
	}
	e := &l.entries[at]
	switch {
	case e.nickname != "":
		nickname = e.nickname
	case asNickname:
		nickname = string(role) + strconv.Itoa(at+1)
		nickname = nickname[max(0, len(nickname)-maxNickname):]
	case l.reserved(nickname):
		return Grant{}, ErrReserved
	}
	return Grant{Nickname: nickname, Key: hex.EncodeToString(e.digest[:8])}, nil
}

// ofLogin maps the metaprotocol's roles.
var ofLogin = map[netorcai.Role]Role{
	netorcai.RolePlayer: Player, netorcai.RoleSpecialPlayer: Special,
	netorcai.RoleVisualization: Visualization, netorcai.RoleGameLogic: Logic,
}

// Login is Admit for a client of the metaprotocol. It implements session.Gate.
func (l *List) Login(m netorcai.Login) (nickname, key string, err error) {
	g, err := l.Admit(ofLogin[m.Role], m.Nickname, m.Token)
	return g.Nickname, g.Key, err
}

// Operates reports whether a token is an operator's.
func (l *List) Operates(token string) bool {
	at := l.find(token)
	return at >= 0 && l.entries[at].role == Operator
}

// find returns the index of a token, or -1. It always compares all.
func (l *List) find(token string) int {
	want := digestOf(token)
	found := -1
	for i := range l.entries {
		same := subtle.ConstantTimeCompare(want[:], l.entries[i].digest[:])
		found = subtle.ConstantTimeSelect(same, i, found)
	}
	return found
}

// reserved reports whether a nickname looks like one that is reserved.
func (l *List) reserved(name string) bool {
	name = nickname.Fold(name)
	for i := range l.entries {
		if e := &l.entries[i]; e.nickname != "" && e.reserved == name {
			return true
		}
	}
	return false
}
