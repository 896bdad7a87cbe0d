package htttx

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Capabilities is what a bot declares about itself. Mistakes in it do not prevent a game:
// an invalid field counts as absent and is listed in Warnings.
type Capabilities struct {
	Meta      Meta
	Socket    *Socket    // basic_websocket v1-alpha; nil if not offered
	Stateless *Stateless // stateless v1-alpha; nil if not offered
	Warnings  []string   // at most maxWarnings
}

// Meta describes the bot.
type Meta struct {
	Name, Description, Version string
	Authors, Tags              []string
}

// Socket lists the capabilities of a bot over basic_websocket v1-alpha.
type Socket struct {
	APIRoot             string // relative to capabilities.json
	MoveTimeLimit       bool
	Evaluation          bool
	EvaluationTimeLimit bool
	Config              bool // accepts Config before the setup
	DynamicConfig       bool // accepts Config after any turn as well
	FreeSetup           bool
	ResettableState     bool
	MoveSkips           bool
	DualSided           bool
	FreeMoveOrder       bool
	Interruptible       bool
	RequestID           bool
}

// Stateless lists the capabilities of a bot over stateless v1-alpha.
type Stateless struct {
	APIRoot       string // relative to capabilities.json
	MoveTimeLimit bool
	RequestID     bool
}

// The default API roots.
const (
	DefaultSocketRoot    = "bws/v1-alpha"
	DefaultStatelessRoot = "stateless/v1-alpha"
)

const (
	maxWarnings = 20
	maxListed   = 32 // authors, tags
)

var tagPattern = regexp.MustCompile(`^[a-z0-9-]+$`)

// ParseCapabilities parses a capabilities.json. It returns an error, a *Fault, only if the
// text is not a JSON object.
func ParseCapabilities(data []byte) (Capabilities, error) {
	obj, err := parseObject(data)
	if err != nil {
		return Capabilities{}, err
	}
	r := capabilitiesReader{}
	c := Capabilities{Meta: r.meta(obj)}
	if v := r.version(obj, "basic_websocket"); v != nil {
		c.Socket = r.socket(v)
	}
	if v := r.version(obj, "stateless"); v != nil {
		const path = "stateless v1-alpha "
		c.Stateless = &Stateless{
			APIRoot:       r.text(v, path, "api_root", DefaultStatelessRoot),
			MoveTimeLimit: r.flag(v, path, "move_time_limit"),
			RequestID:     r.flag(v, path, "request_id"),
		}
	}
	c.Warnings = r.warnings
	return c, nil
}

// capabilitiesReader reads the valid fields and collects warnings about the others.
type capabilitiesReader struct{ warnings []string }

func (r *capabilitiesReader) warn(text string) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, text)
	}
}

// field returns the field of obj if it has the wanted kind, else nil.
func (r *capabilitiesReader) field(
	obj jsonscan.Value, path, name string, kind jsonscan.Kind,
) jsonscan.Value {
	v := optional(obj, name)
	if v == nil {
		return nil
	}
	if err := need(v, path+name, kind); err != nil {
		r.warn(err.Error())
		return nil
	}
	return v
}

// version returns the entry v1-alpha of a capability, nil if it is not offered. If the
// entry is malformed, the bot has the base features.
func (r *capabilitiesReader) version(obj jsonscan.Value, way string) jsonscan.Value {
	capability := r.field(obj, "", way, jsonscan.Object)
	versions := r.field(capability, way+".", "versions", jsonscan.Object)
	v := optional(versions, "v1-alpha")
	if v == nil || string(v) == "false" {
		return nil
	}
	if err := need(v, way+" v1-alpha", jsonscan.Object); err != nil {
		r.warn(err.Error())
		return jsonscan.Value("{}")
	}
	return v
}

func (r *capabilitiesReader) socket(v jsonscan.Value) *Socket {
	const path = "basic_websocket v1-alpha "
	s := &Socket{APIRoot: r.text(v, path, "api_root", DefaultSocketRoot)}
	for _, f := range s.flags() {
		*f.flag = r.flag(v, path, f.name)
	}
	if config := r.field(v, path, "config", jsonscan.Object); config != nil {
		s.Config = true
		s.DynamicConfig = r.flag(config, path+"config.", "dynamic")
	}
	return s
}

type socketFlag struct {
	name string
	flag *bool
}

// flags lists the boolean fields of a capability.
func (s *Socket) flags() []socketFlag {
	return []socketFlag{
		{"move_time_limit", &s.MoveTimeLimit},
		{"evaluation", &s.Evaluation},
		{"evaluation_time_limit", &s.EvaluationTimeLimit},
		{"free_setup", &s.FreeSetup},
		{"resettable_state", &s.ResettableState},
		{"move_skips", &s.MoveSkips},
		{"dual_sided", &s.DualSided},
		{"free_move_order", &s.FreeMoveOrder},
		{"interruptible", &s.Interruptible},
		{"request_id", &s.RequestID},
	}
}

// Can reports whether the bot declares a capability, which is named as in capabilities.json.
func (s *Socket) Can(name string) bool {
	return name == "config" && s.Config ||
		slices.ContainsFunc(s.flags(), func(f socketFlag) bool { return f.name == name && *f.flag })
}

func (r *capabilitiesReader) flag(obj jsonscan.Value, path, name string) bool {
	return string(r.field(obj, path, name, jsonscan.Bool)) == "true"
}

func (r *capabilitiesReader) text(obj jsonscan.Value, path, name, absent string) string {
	if v := r.field(obj, path, name, jsonscan.String); v != nil {
		return v.Text()
	}
	return absent
}

func (r *capabilitiesReader) meta(obj jsonscan.Value) Meta {
	const path = "meta."
	meta := r.field(obj, "", "meta", jsonscan.Object)
	m := Meta{
		Name:        r.text(meta, path, "name", ""),
		Description: r.text(meta, path, "description", ""),
		Version:     r.text(meta, path, "version", ""),
		Authors:     r.list(meta, path, "authors"),
	}
	for _, tag := range r.list(meta, path, "tags") {
		if !tagPattern.MatchString(tag) {
			r.warn(
				"meta.tags has " + strconv.Quote(
					quoted([]byte(tag))) + ", which does not consist of a-z, 0-9 and -",
			)
			continue
		}
		m.Tags = append(m.Tags, tag)
	}
	return m
}

func (r *capabilitiesReader) list(obj jsonscan.Value, path, name string) (texts []string) {
	for _, v := range r.field(obj, path, name, jsonscan.Array).Elements() {
		if len(texts) == maxListed {
			break
		}
		if err := need(v, path+name+"[]", jsonscan.String); err != nil {
			r.warn(err.Error())
			continue
		}
		texts = append(texts, v.Text())
	}
	return texts
}
