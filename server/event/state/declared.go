package state

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Declared is what a team has declared when it signed up, if the event asks for it.
type Declared struct {
	// Publish is the answer about publishing its matches and code, Yes or No; "" without a question.
	Publish string `json:"publish,omitempty"`
	AI      string `json:"ai,omitempty"` // how AI helped to make the bot; "" without a question
}

// The answers to a question.
const (
	Yes = "yes"
	No  = "no"
)

// maxAI bounds a declaration of help by AI, in characters: two sentences.
const maxAI = 200

// CheckAI returns a declaration of help by AI as it is kept, or an error.
func CheckAI(text string) (string, error) {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", errors.New("say how AI helped to make the bot: none is an answer")
	case n > maxAI:
		return "", fmt.Errorf("the declaration has %d characters: shorten it to %d", n, maxAI)
	}
	return text, nil
}
