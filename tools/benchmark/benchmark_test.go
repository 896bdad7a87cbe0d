//go:build thorough

package main

import (
	"io"
	"os"
	"testing"
)

func TestWrongFlags(t *testing.T) {
	self, err := os.Executable() // stands for a hexarena, which is not run
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-rounds", "0"},
		{"-turns", "9"},
		{"-ticks", "70000"},
		{"-ticks", "19"},
		{"-viewers", "0"},
		{"-only", "tea"},
		{"more"},
		{"-binary", "no/such/file"},
		{"-against", "no/such/file"},
	} {
		if err := program.Run(t.Context(), append([]string{"-binary", self}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("benchmark %v is accepted", args)
		}
	}
}
