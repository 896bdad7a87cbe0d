package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// helpWidth is the width of the help in columns: it fits half a wide screen.
const helpWidth = 110

// Help returns the help of all flags under the headings of their groups. It leaves out aliases, and
// unless all is set also rare settings.
func Help(fs *pflag.FlagSet, all bool) string {
	groups := map[Group]*pflag.FlagSet{}
	defer func(sorted bool) { fs.SortFlags = sorted }(fs.SortFlags)
	fs.SortFlags = false // keep the order of the table
	fs.VisitAll(func(f *pflag.Flag) {
		group := OtherGroup
		if s := settingOf(f); s != nil {
			if s.Rare && !all {
				return
			}
			group = s.Group
		}
		if groups[group] == nil {
			groups[group] = pflag.NewFlagSet("", pflag.ContinueOnError)
			groups[group].SortFlags = false
		}
		groups[group].AddFlag(f)
	})
	var b strings.Builder
	for group := range OtherGroup + 1 {
		if own := groups[group]; own != nil && own.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", group, own.FlagUsagesWrapped(helpWidth))
		}
	}
	return b.String()
}

// HasRare reports whether there are rare settings among the flags.
func HasRare(fs *pflag.FlagSet) (rare bool) {
	fs.VisitAll(func(f *pflag.Flag) {
		if s := settingOf(f); s != nil {
			rare = rare || s.Rare
		}
	})
	return rare
}

// settingOf returns the setting that a flag gives, or nil.
func settingOf(f *pflag.Flag) *Setting {
	if t, ours := f.Value.(*flagText); ours && t.setting.Name != "" {
		return &t.setting
	}
	return nil
}
