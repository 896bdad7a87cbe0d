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
	"github.com/hexarena/hexarena/server/access/nickname"
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

// List holds all tokens of a server. It implements session.Gate.
type List struct {
	entries []entry
}

// ofLogin maps the metaprotocol's roles.
var ofLogin = map[netorcai.Role]Role{
	netorcai.RolePlayer: Player, netorcai.RoleSpecialPlayer: Special,
	netorcai.RoleVisualization: Visualization, netorcai.RoleGameLogic: Logic,
}

// Login decides on a client by the token that it sent or, if it sent none, by its nickname. It
// returns the nickname to use, and a key that identifies the client and contains no secret. The
// error is one of ErrNoToken, ErrWrongRole and ErrReserved.
func (l *List) Login(m netorcai.Login) (nickname, key string, err error) {
	nickname = m.Nickname
	// also if the token was sent in both fields, so that it is not shown
	asNickname := l.find(nickname) >= 0
	role, at := ofLogin[m.Role], l.find(cmp.Or(m.Token, nickname))
	switch {
	case at < 0:
		return "", "", ErrNoToken
	case l.entries[at].role != role:
		return "", "", ErrWrongRole
	}
	e := &l.entries[at]
	switch {
	case e.nickname != "":
		nickname = e.nickname
	case asNickname:
		nickname = string(role) + strconv.Itoa(at+1)
		nickname = nickname[max(0, len(nickname)-maxNickname):]
	case l.reserved(nickname):
		return "", "", ErrReserved
	}
	return nickname, hex.EncodeToString(e.digest[:8]), nil
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
