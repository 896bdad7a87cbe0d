package config

import "slices"

// scope is the settings that a program has.
type scope struct {
	keys     []key
	defaults []entry // one for each key
}

// serveScope is all settings. games are the values that the setting game takes.
func serveScope(games []string) scope {
	entries, err := parseDocument(defaults)
	if err != nil {
		panic("config: embedded defaults: " + err.Error())
	}
	return newScope(keys(games), entries)
}

// newScope picks the keys' defaults, and panics if one has none.
func newScope(keys []key, entries []entry) scope {
	s := scope{keys: keys}
	for _, k := range keys {
		i := slices.IndexFunc(entries, func(e entry) bool { return e.key == k.name })
		s.defaults = append(s.defaults, entries[i])
	}
	return s
}
