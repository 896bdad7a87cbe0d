package workers

import (
	"encoding/json"
	"fmt"
)

// A page and the server send each other texts, each one JSON object. The page begins with hello, which the server answers with
// welcome. Then the server sends start, passed, stop and check, and the page reports, with the number of the bot that the server has
// given it.

// hello is the first message of a page.
type hello struct {
	Token   string `json:"token"`   // the operator's
	Workers int    `json:"workers"` // processors of its machine
}

// welcome answers hello.
type welcome struct {
	Workers int `json:"workers"` // that the page will run at once
	Answer  int `json:"answer"`  // characters of the longest answer of a bot that it may pass on
}

// start has the page start a bot in a worker, log in for it, and pass messages on.
type start struct {
	Start    int    `json:"start"`    // its number
	Source   string `json:"source"`   // the address of its code, which needs the operator's token
	File     string `json:"file"`     // the name of the code's file, for mistakes in it
	Nickname string `json:"nickname"` // that it logs in with
}

// stop has the page terminate a worker.
type stop struct {
	Stop int `json:"stop"`
}

// check has the page answer that it is there.
type check struct {
	Check int `json:"check"` // the number of the check, from 1
}

// report is what a page says of a bot: one of the fields beside From is set. Answers are strings, since a bot has made
// them. Without a bot it answers a check.
type report struct {
	Checked int     `json:"checked"`
	From    int     `json:"from"`
	Answer  *string `json:"answer"` // a message of the metaprotocol
	Line    *string `json:"line"`   // that it printed
	Ended   *bool   `json:"ended"`  // its worker was terminated; true: it failed
}

// errMessage says that a page has sent something else than messages.
func errMessage(text []byte, wrong error) error {
	return fmt.Errorf("%.40q is no message: %w", text, wrong)
}

// encode returns a message as text.
func encode(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // no field can fail
	}
	return text
}

// passed returns what has the page hand a bot a message of the metaprotocol, as JSON.
func passed(number int, message []byte) []byte {
	return fmt.Appendf(nil, `{"to":%d,"message":%s}`, number, message)
}
