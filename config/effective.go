package config

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/knadh/koanf/v2"
)

// Effective is the settings that count, and where each comes from.
type Effective struct {
	Config Config

	// Origins says by key where its value comes from: "default",
	// "file arena.yaml:12", "environment HEXARENA_PORT" or "flag --port".
	Origins map[string]string

	keys []key
}

func newEffective(keys []key, merged *koanf.Koanf) *Effective {
	e := &Effective{Origins: make(map[string]string, len(keys)), keys: keys}
	for _, k := range keys {
		v := merged.Get(k.name).(value) // the defaults hold every key
		k.set(&e.Config, v.Text)
		e.Origins[k.name] = v.Origin
	}
	return e
}

// Print writes the settings as a settings file, with the origin of each in a
// comment.
func (e *Effective) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, k := range e.keys {
		fmt.Fprintf(tw, "%s: %s\t# %s\n", k.name, k.show(&e.Config), e.Origins[k.name])
	}
	return tw.Flush()
}
