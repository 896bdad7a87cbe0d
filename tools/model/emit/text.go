package emit

import (
	"strings"
)

// plain returns a text of the models without the marks of Markdown, for comments.
func plain(about string) string { return strings.ReplaceAll(about, "`", "") }

// quoted returns a list of strings in quotes, separated by commas.
func quoted(values []string) string { return `"` + strings.Join(values, `", "`) + `"` }

// oneOf returns "A, B or C".
func oneOf(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
