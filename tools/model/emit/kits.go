package emit

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Types is what a kit needs of the models.
type Types struct {
	Protocol    *model.Model       // its version and limits
	Definitions []model.Definition // each follows those that it refers to
}

// Lookup returns the definition with that name, or nil.
func (t *Types) Lookup(name string) *model.Definition {
	for i := range t.Definitions {
		if t.Definitions[i].Name == name {
			return &t.Definitions[i]
		}
	}
	return nil
}

// filled reports whether a kit fills a field of a type in when it is absent: bots only receive the
// type, and the model says what the absence stands for. The field's type is then that of its
// values.
func (t *Types) filled(d model.Definition, f model.Field) bool {
	const cell = "DebugCell" // bots send it, though not in actions
	return f.Optional && f.Default != nil && d.Name != cell && !t.sent(d.Name)
}

// plainFields returns the fields of a type, those that a kit fills in as if they were not optional.
func (t *Types) plainFields(d model.Definition) []model.Field {
	fields := slices.Clone(d.Fields)
	for i := range fields {
		if t.filled(d, fields[i]) {
			fields[i].Optional = false
		} else {
			fields[i].Default = nil
		}
	}
	return fields
}

// Emitter returns types as source text of one language.
type Emitter func(*Types) string

// kit is a file that bots are written with.
type kit struct {
	file   string
	games  []string // whose states and actions it has types for
	byHand []string // types that it defines itself, with methods
	emit   Emitter
}

// kits lists the kits whose types are generated.
var kits = []kit{
	{"bots/kits/javascript/hexarena.d.ts", []string{
		"hexabomb", "hextictactoe",
	}, []string{"Debug"}, TypeScript},
	{"bots/kits/go/hexarena.go", []string{"hexabomb"}, nil, Go},
	{"bots/kits/python/hexarena.py", []string{"hexabomb", "hextictactoe"}, []string{"Debug"}, Python},
	{"bots/kits/rust/hexarena.rs", []string{"hexabomb"}, []string{
		"Coord", "Debug", "DebugCell", "Direction",
	}, Rust},
	{"bots/kits/java/Hexarena.java", []string{"hexabomb"}, []string{
		"Coord", "Direction", "Debug", "DebugCell",
	}, Java},
	{"bots/kits/cpp/hexarena.hpp", []string{"hexabomb"}, []string{
		"Coord", "Direction", "Debug", "DebugCell",
	}, Cpp},
}

// The lines around the types of a kit contain these.
const (
	beginTypes = "types: generated from protocol/netorcai/model.json"
	endTypes   = "end of types"
)

// shown lists the types of the metaprotocol that a bot meets. The kits handle the messages
// themselves.
var shown = []string{"PlayerInfo", "DebugCell", "Debug"}

func kitSections(models map[string]*model.Model) []section {
	var list []section
	for _, k := range kits {
		list = append(list,
			section{k.file, beginTypes, endTypes, "\n" + k.emit(typesOf(models, k.games, k.byHand)) + "\n"})
	}
	return list
}

// typesOf returns the types that the kit of some games needs, but for those that it defines
// itself. It panics if two games define a type differently.
func typesOf(models map[string]*model.Model, games, byHand []string) *Types {
	types := &Types{Protocol: models["netorcai"]}
	add := func(d model.Definition) {
		switch same := types.Lookup(d.Name); {
		case slices.Contains(byHand, d.Name):
		case same == nil:
			types.Definitions = append(types.Definitions, d)
		case !reflect.DeepEqual(*same, d):
			panic(fmt.Sprintf("two games of a kit define the type %s differently", d.Name))
		}
	}
	for _, game := range games {
		for _, d := range models[game].Types {
			add(d)
		}
	}
	for _, name := range shown {
		add(*types.Protocol.Type(name))
	}
	return types
}
