package state

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Declared is what a team has declared when it signed up, if the event asks for it.
type Declared struct {
	// Publish says whether matches and code of the team may be published: Yes or No; "": the team
	// was not asked.
	Publish string `json:"publish,omitempty"`
	AI      string `json:"ai,omitempty"` // by which help of AI the bot is made; "": it was not asked
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
		return "", errors.New("say by which help of AI the bot is made: none is an answer")
	case n > maxAI:
		return "", fmt.Errorf("the declaration has %d characters: shorten it to %d", n, maxAI)
	}
	return text, nil
}
