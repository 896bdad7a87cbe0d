// Package access says who may take part in matches and who may run them, by
// tokens that the operator hands out. Without a list of tokens everybody may.
//
// A client sends its token in an extra field of its LOGIN, or, if it cannot be
// changed, as its nickname: tokens that are made here are short enough for
// that, and the list says what such a client is to be called. The package keeps
// digests of tokens only, compares them in constant time, and never repeats one.
// It starts no goroutine; a List is immutable.
package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/nickname"
)

// Role is what a token is for.
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

// Why somebody is not let in. The texts are for peers.
var (
	ErrNoToken   = errors.New("a token is needed here, in the field token of LOGIN or as the nickname")
	ErrWrongRole = errors.New("the token is for another role")
	ErrReserved  = errors.New("the nickname is another token's")
)

// digest is what is kept of a token.
type digest [sha256.Size]byte

func digestOf(token string) digest { return sha256.Sum256([]byte(token)) }

// entry is one token.
type entry struct {
	role     Role
	digest   digest
	nickname string // reserved for it; may be empty
	reserved string // what nicknames that look like it have in common
}

// List is all tokens of a server.
type List struct{ entries []entry }

// Grant is what a token gives.
type Grant struct {
	Nickname string // what to call the client
	Key      string // says who it is, and is no secret
}

// Admit judges a client that wants a role, by the token that it sent, or by its
// nickname if it sent none. The error is one of ErrNoToken, ErrWrongRole and
// ErrReserved.
func (l *List) Admit(role Role, nickname, token string) (Grant, error) {
	if token == "" {
		token = nickname
	}
	asNickname := l.find(nickname) >= 0 // also of who sends its token in both, so that it is not shown
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

// ofLogin are the roles as the metaprotocol names them.
var ofLogin = map[netorcai.Role]Role{
	netorcai.RolePlayer: Player, netorcai.RoleSpecialPlayer: Special,
	netorcai.RoleVisualization: Visualization, netorcai.RoleGameLogic: Logic,
}

// Login is Admit for a client of the metaprotocol. It implements session.Gate.
func (l *List) Login(m netorcai.Login) (nickname, key string, err error) {
	g, err := l.Admit(ofLogin[m.Role], m.Nickname, m.Token)
	return g.Nickname, g.Key, err
}

// Operates says whether a token is an operator's.
func (l *List) Operates(token string) bool {
	at := l.find(token)
	return at >= 0 && l.entries[at].role == Operator
}

// find is the index of a token, -1 if it is none. It always looks at all.
func (l *List) find(token string) int {
	want := digestOf(token)
	found := -1
	for i := range l.entries {
		same := subtle.ConstantTimeCompare(want[:], l.entries[i].digest[:])
		found = subtle.ConstantTimeSelect(same, i, found)
	}
	return found
}

// reserved reports whether a nickname is one of the list, or looks like one.
func (l *List) reserved(name string) bool {
	name = nickname.Fold(name)
	for i := range l.entries {
		if e := &l.entries[i]; e.nickname != "" && e.reserved == name {
			return true
		}
	}
	return false
}
