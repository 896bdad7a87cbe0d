// Package model reads the models of what is sent: that of the metaprotocol, model.json beside
// package netorcai, and those of the games' states and actions, model.json in the package of
// each game. From them, tools/model writes the JSON Schemas, tables of the documentation and
// the types of the kits.
//
// Tests of package netorcai, of the games and of the server hold the models to the code.
package model

//go:generate go run github.com/hexarena/hexarena/tools/model

// Model describes messages, or the states and actions of a game.
type Model struct {
	Name    string `json:"name"`    // as the schemas' folder is called
	Version string `json:"version"` // of the metaprotocol; "" for a game
	About   string `json:"about"`

	// State and Action name the types of a game's state and of one action. They are empty for
	// the metaprotocol.
	State  string `json:"state"`
	Action string `json:"action"`

	Limits   []Limit      `json:"limits"`
	Types    []Definition `json:"types"` // each refers only to those before it
	Messages []Message    `json:"messages"`
	States   []State      `json:"states"`
	Errors   []Error      `json:"errors"`
	Kicks    []Kick       `json:"kicks"`
}

// Limit is a limit that all peers share.
type Limit struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Unit  string `json:"unit"` // "" for a plain number
	About string `json:"about"`
}

// Definition is a type with a name: an object, one of several strings, or one of several
// objects. Exactly one of Fields, Values and OneOf is not empty.
type Definition struct {
	Name   string   `json:"name"`
	About  string   `json:"about"` // a noun phrase, so that "NAME is ABOUT." is a sentence
	Fields []Field  `json:"fields"`
	Values []string `json:"values"`
	OneOf  []string `json:"one_of"` // names of types with fields
}

// Message is a message. Its message_type is its name, and precedes its fields.
type Message struct {
	Name   string  `json:"name"`
	From   string  `json:"from"` // client, server or game logic
	To     string  `json:"to"`
	About  string  `json:"about"`
	Fields []Field `json:"fields"` // in the order in which they are sent and checked
}

// Field is a field of a message or of an object.
type Field struct {
	Name      string `json:"name"`
	Type      Type   `json:"type"`
	Optional  bool   `json:"optional"`
	Extension bool   `json:"extension"` // hexarena's, unknown to netorcai
	// what an absent field stands for; nil if its absence has a meaning of its own
	Default any    `json:"default"`
	About   string `json:"about"`

	Min       *int64 `json:"min"` // of a number
	Max       *int64 `json:"max"`
	MinLength int    `json:"min_length"` // in code points of a string, in elements of an array
	MaxLength int    `json:"max_length"` // 0: no limit
	Pattern   string `json:"pattern"`    // regular expression of a string
}

// State is a state of a client or a game logic.
type State struct {
	Name  string       `json:"name"`
	Of    string       `json:"of"` // client or game logic
	About string       `json:"about"`
	Sends []Transition `json:"sends"` // what it may send; anything else is answered by a KICK
	Gets  []Transition `json:"gets"`  // what the server may send to it
}

// Transition is a message and the state after it.
type Transition struct {
	Message string `json:"message"`
	Next    string `json:"next"`
}

// Error is the text of an error, with names in braces for what varies.
type Error struct {
	Class     string `json:"class"` // unreadable, invalid or unsendable
	Text      string `json:"text"`
	Extension bool   `json:"extension"`
	About     string `json:"about"`
}

// Kick is a kick reason: a whole text, or a beginning that other text completes.
type Kick struct {
	Text        string    `json:"text"`
	Beginning   string    `json:"beginning"`
	CompletedBy []string  `json:"completed_by"` // classes of errors; empty for any text
	To          string    `json:"to"`           // client, which includes game logics, or game logic
	Extension   bool      `json:"extension"`
	Cause       string    `json:"cause"`
	Examples    []Example `json:"examples"` // of a beginning
}

// Example is a kick reason as a client may get it.
type Example struct {
	Reason string `json:"reason"`
	Cause  string `json:"cause"`
}

// Type returns the definition with that name, or nil.
func (m *Model) Type(name string) *Definition {
	for i := range m.Types {
		if m.Types[i].Name == name {
			return &m.Types[i]
		}
	}
	return nil
}

// Message returns the message with that name, or nil.
func (m *Model) Message(name string) *Message {
	for i := range m.Messages {
		if m.Messages[i].Name == name {
			return &m.Messages[i]
		}
	}
	return nil
}

// Limit returns the value of the limit with that name, 0 if the model has no such limit.
func (m *Model) Limit(name string) int64 {
	for _, l := range m.Limits {
		if l.Name == name {
			return l.Value
		}
	}
	return 0
}
