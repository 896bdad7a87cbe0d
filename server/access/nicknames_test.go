package access

import (
	"slices"
	"strings"
	"testing"
)

func TestReadNicknames(t *testing.T) {
	list, err := ReadNicknames(
		strings.NewReader("\ufeff# class 9b\r\nada\r\n\r\n  Jürgen # sits in front\n爱丽丝\nbob"))
	if want := []string{"ada", "Jürgen", "爱丽丝", "bob"}; err != nil || !slices.Equal(list, want) {
		t.Errorf("ReadNicknames = %q, %v; want %q", list, err, want)
	}
}

// All mistakes are reported at once, with their lines.
func TestNicknamesThatAreWrong(t *testing.T) {
	text := "Max Müller\nJo\njo\n# c\nalexander-the-great\nAnn#1\na\u202eb\n\xff\nJo\n"
	want := []string{
		`line 1: "Max Müller" contains a space: want one word of at most 10 characters, such as Max_Müller`,
		`line 3: "jo" looks like the nickname in line 2`,
		`line 5: "alexander-the-great" has 19 characters: want at most 10, such as alexander-`,
		`line 6: "Ann#1" contains a #, which begins a comment`,
		`line 7: "a\u202eb": the nickname has the character U+202E, which is invisible or changes how others are shown; leave it out`,
		`line 8: "\xff" is not UTF-8`,
		`line 9: "Jo" looks like the nickname in line 2`,
	}
	_, err := ReadNicknames(strings.NewReader(text))
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("ReadNicknames: %v\nwant\n%s", err, strings.Join(want, "\n"))
	}
	for _, text := range []string{"", "# no names\n"} {
		if _, err := ReadNicknames(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), "contains no nickname") {
			t.Errorf("ReadNicknames(%q) = %v", text, err)
		}
	}
	if _, err := ReadNicknames(strings.NewReader(strings.Repeat("a b\n", 1000))); err == nil ||
		strings.Count(err.Error(), "line ") != maxFaults {
		t.Errorf("of many faults: %v", err)
	}
}
