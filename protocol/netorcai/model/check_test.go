package model

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

func TestCheck(t *testing.T) {
	const file = `{"types":[
		{"name":"Side","values":["x","o"]},
		{"name":"Cell","fields":[{"name":"q","type":"integer","min":0,"max":9},{"name":"note","type":"string","optional":true,"max_length":2,"pattern":"^a"}]},
		{"name":"Go","fields":[{"name":"verb","type":{"constant":"go"}},{"name":"to","type":"Cell"}]},
		{"name":"Stay","fields":[{"name":"verb","type":{"constant":"stay"}}]},
		{"name":"Action","one_of":["Go","Stay"]},
		{"name":"All","fields":[
			{"name":"cells","type":{"array":"Cell"},"min_length":1},{"name":"by","type":{"map":"number","keys":"integer"}},
			{"name":"side","type":"Side"},{"name":"last","type":{"nullable":"Cell"}},{"name":"more","type":"any","optional":true},
			{"name":"action","type":"Action","optional":true}]}]}`
	m, err := Read(fstest.MapFS{"m.json": {Data: []byte(file)}}, "m.json")
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"cells":[{"q":1},{"q":9,"note":"ab"}],"by":{"0":1.5},"side":"x","last":null,"more":[],"action":{"verb":"go","to":{"q":0}}}`
	for _, tt := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"last":null`, `"last":{"q":2}`, ""},
		{`,"more":[],"action":{"verb":"go","to":{"q":0}}`, ``, ""},
		{`,"more":[]`, ``, ""},
		{`{"verb":"go","to":{"q":0}}`, `{"verb":"stay"}`, ""},
		{`{"verb":"go","to":{"q":0}}`, `{"verb":"run"}`, `action: {"verb":"run"} is no Action`},
		{`"q":1`, `"q":10`, "cells: [0]: q: 10 is out of bounds"},
		{`"q":1`, `"q":-1`, "q: -1 is out of bounds"},
		{`"q":1`, `"q":1.5`, "invalid syntax"},
		{`"q":1`, `"q":"1"`, `"1" is not of the type integer`},
		{`"q":1`, `"r":1`, `the key "r" is unknown, repeated or not in its place`},
		{`{"q":1}`, `{}`, "the key q is missing"},
		{`{"q":1}`, `1`, "1 is no object"},
		{`"ab"`, `"abc"`, "has the length 3"},
		{`"ab"`, `"b"`, "does not match"},
		{`[{"q":1},{"q":9,"note":"ab"}]`, `[]`, "cells: [] has the length 0"},
		{`{"0":1.5}`, `{"x":1.5}`, `by: the key "x" is no integer`},
		{`{"0":1.5}`, `{"0":null}`, `"0": null is not of the type number`},
		{`"side":"x"`, `"side":"y"`, `side: "y" is no Side`},
		{`"side":"x","last":null`, `"last":null,"side":"x"`, `the key "side" is unknown, repeated or not in its place`},
	} {
		value := jsonscan.Value(strings.Replace(good, tt.old, tt.new, 1))
		err := Checker{Model: m}.Check(Type{Kind: Named, Name: "All"}, value)
		if tt.want == "" && err != nil ||
			tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("with %s: %v, want %q", tt.new, err, tt.want)
		}
	}
}

func TestCheckOfPeers(t *testing.T) {
	m, err := Read(fstest.MapFS{"m.json": {Data: []byte(`{"types":[{"name":"Cell","fields":[{"name":"q","type":"integer"},{"name":"r","type":"integer"}]}]}`)}}, "m.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct{ ours, peers bool }{
		`{"q":1,"r":2}`:       {true, true},
		`{"r":2,"q":1}`:       {false, true},
		`{"q":1.0,"r":2e1}`:   {false, true},
		`{"q":1.5,"r":2}`:     {false, false},
		`{"q":1,"q":1,"r":2}`: {false, false},
		`{"q":1}`:             {false, false},
	} {
		cell := Type{Kind: Named, Name: "Cell"}
		ours, peers := Checker{Model: m}.Check(cell, jsonscan.Value(text)), Checker{m, true}.Check(cell, jsonscan.Value(text))
		if (ours == nil) != want.ours || (peers == nil) != want.peers {
			t.Errorf("%s: %v as ours, %v as a peer's", text, ours, peers)
		}
	}
}
