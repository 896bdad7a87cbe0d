package netorcai

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// TestValidUTF8 compares the result with encoding/json's handling of invalid UTF-8.
func TestValidUTF8(t *testing.T) {
	for _, text := range []string{
		"", "plain", "é€𝄞", "caf\xe9", "\xff\xfe", "\xe2\x82", "\xe2\x82\xac\xe2", "\xed\xa0\x80",
		"\xf4\x90\x80\x80", "\xc0\xaf", "a\x80b",
	} {
		var want string
		if err := json.Unmarshal([]byte(`"`+text+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if got := ValidUTF8([]byte(text)); string(got) != want || !utf8.Valid(got) {
			t.Errorf("ValidUTF8(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestValidUTF8AllocatesNothing checks that valid content is returned without allocating.
func TestValidUTF8AllocatesNothing(t *testing.T) {
	content := []byte(`{"message_type":"TURN_ACK","turn_number":1,"actions":["é"]}`)
	var got []byte
	if n := testing.AllocsPerRun(100, func() { got = ValidUTF8(content) }); n != 0 ||
		&got[0] != &content[0] {
		t.Errorf("ValidUTF8 allocates %v times", n)
	}
}
