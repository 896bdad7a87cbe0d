package netorcai

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Role is the role that a client asks for.
type Role string

// The roles. Servers refuse any other.
const (
	RolePlayer        Role = "player"
	RoleSpecialPlayer Role = "special player"
	RoleVisualization Role = "visualization"
	RoleGameLogic     Role = "game logic"
)

// Login is the first message of a client.
type Login struct {
	Nickname string // 1 to 10 characters without white space; need not be unique
	Role     Role
	Version  string // MAJOR.MINOR.PATCH; in AppendLogin, empty stands for [Version]
	Token    string // identifies the client to servers that require it; may be empty

	// Stay asks hexarena to keep the connection when a match is over: another GAME_STARTS
	// follows, or a KICK when there are no more matches.
	Stay     bool
	Code     string // a digest of the bot's code, the field version; may be empty
	Language string // in which the bot is written; may be empty
	Debugger bool   // whether a debugger is attached to the bot
	TurnOver bool   // whether the server sends TURN_OVER

	// AnyServer accepts a server of another metaprotocol version, as the original hexabomb does. It
	// is not sent.
	AnyServer bool
}

var loginFields = []string{
	"message_type", "nickname", "role", "metaprotocol_version", "token", "stay", "version", "language",
	"debugger", "turn_over",
}

// ParseLogin parses a LOGIN. The text of the error follows "Invalid first message: " in the
// kick.
func ParseLogin(content []byte) (Login, error) {
	f := readFields(content, loginFields)
	f.messageType(typeLogin)
	var l Login
	if l.Nickname = f.text(); !ValidNickname(l.Nickname) {
		f.fail("nickname", "Invalid nickname")
	}
	if l.Role = Role(f.text()); !l.Role.valid() {
		f.fail("role", "Invalid role '"+clip(string(l.Role), maxQuoted)+"'")
	}
	l.Version = f.text()
	if fault := versionFault(l.Version); fault != "" {
		f.fail("metaprotocol_version", fault)
	}
	l.Token = f.optionalText()
	l.Stay = f.optionalBoolean()
	l.Code, l.Language = f.optionalText(), f.optionalText()
	l.Debugger = f.optionalBoolean()
	l.TurnOver = f.optionalBoolean()
	return l, f.err
}

// AppendLogin appends a LOGIN. It checks only the size; the server judges the rest.
func AppendLogin(dst []byte, l Login) ([]byte, error) {
	if l.Version == "" {
		l.Version = Version
	}
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"LOGIN","nickname":`...)
	dst = appendString(dst, l.Nickname)
	dst = append(dst, `,"role":`...)
	dst = appendString(dst, string(l.Role))
	dst = append(dst, `,"metaprotocol_version":`...)
	dst = appendString(dst, l.Version)
	if l.Token != "" {
		dst = appendString(append(dst, `,"token":`...), l.Token)
	}
	if l.Stay {
		dst = append(dst, `,"stay":true`...)
	}
	if l.Code != "" {
		dst = appendString(append(dst, `,"version":`...), l.Code)
	}
	if l.Language != "" {
		dst = appendString(append(dst, `,"language":`...), l.Language)
	}
	if l.Debugger {
		dst = append(dst, `,"debugger":true`...)
	}
	if l.TurnOver {
		dst = append(dst, `,"turn_over":true`...)
	}
	return EndFrame(append(dst, '}'), start)
}

func (r Role) valid() bool {
	switch r {
	case RolePlayer, RoleSpecialPlayer, RoleVisualization, RoleGameLogic:
		return true
	}
	return false
}

// ValidNickname reports whether a client may log in with a nickname: 1 to 10 characters
// without white space. White space is ASCII white space without the vertical tab, as in Go's
// regular expressions: a no-break space is allowed.
func ValidNickname(s string) bool {
	n := utf8.RuneCountInString(s)
	return 1 <= n && n <= 10 && !strings.ContainsAny(s, " \t\n\f\r")
}

// versionFault returns the error of a client's version, or "".
func versionFault(version string) string {
	n, ok := majorOf(version)
	switch {
	case !ok:
		return "Invalid metaprotocol version: Not MAJOR.MINOR.PATCH"
	case n != major:
		return fmt.Sprintf("Metaprotocol version mismatch. Major version must be identical "+
			"but client asks for '%s' while netorcai uses '%s'.", clip(version, maxQuoted), Version)
	}
	return ""
}
