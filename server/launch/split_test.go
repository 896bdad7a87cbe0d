package launch

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Quoted words split into the same words.
func TestQuotedWordsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(
			rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n'\"\\${}*é")))).Draw(t, "words")
		line := Quote(words)
		if got, err := Split(line); err != nil || !slices.Equal(got, words) {
			t.Fatalf("Split(%q) = %q, %v, want %q", line, got, err, words)
		}
	})
}
