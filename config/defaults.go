package config

import (
	"fmt"
	"strings"
)

// fileHeader begins the documented defaults.
const fileHeader = `# The settings of hexarena with their defaults. A file like this one, with any of
# these keys, is read when --config FILE or HEXARENA_CONFIG names it. Each key is
# also a flag (--turns) and an environment variable (HEXARENA_TURNS). Flags win over
# the environment, which wins over the file. Integers may be written 16, 0x10 or 020.
# Some settings are for one command or one game. Commands ignore those of others.
`

// fileWidth is the width of the comments of the documented defaults.
const fileWidth = 84

// Defaults returns a settings file with the default of every setting of serve and play, and a
// comment that explains it. Defaults that are different in serve and play are commented out,
// because one of the two would be wrong, and so are those of games that are not played by default.
func Defaults(games []Game) []byte {
	var b strings.Builder
	b.WriteString(fileHeader)
	serve := Scope{Command: Serve, Games: games}.Settings()
	play := Scope{Command: Play, Games: games}.Settings()
	rows := serve
	for _, s := range play {
		if indexOf(serve, s.Name) < 0 {
			rows = append(rows, s)
		}
	}
	for group := range OtherGroup {
		fmt.Fprintf(&b, "\n# %s\n", group)
		for _, s := range rows {
			if s.Group != group {
				continue
			}
			command, mark := "", ""
			if s.Commands&Serve == 0 {
				command = "play"
			}
			text := s.Description(command)
			i := indexOf(play, s.Name)
			if i >= 0 && play[i].Default != s.Default {
				text += fmt.Sprintf(" (play: %s)", fileText(play[i]))
				mark = "#"
			}
			if s.game != "" && s.game != General("game").Default {
				mark = "#"
			}
			b.WriteString("\n" + wrap(text))
			fmt.Fprintf(&b, "%s%s: %s\n", mark, s.Name, fileText(s))
		}
	}
	return []byte(b.String())
}

// fileText returns the default of a setting in the form of a settings file.
func fileText(s Setting) string {
	v, _ := s.Kind.Parse(s.Default)
	return s.Kind.Show(v)
}

// wrap returns text as comment lines of at most fileWidth.
func wrap(text string) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(text) {
		if width == 0 || width+1+len(word) > fileWidth {
			if width > 0 {
				b.WriteByte('\n')
			}
			b.WriteByte('#')
			width = 1
		}
		b.WriteString(" " + word)
		width += 1 + len(word)
	}
	return b.String() + "\n"
}
