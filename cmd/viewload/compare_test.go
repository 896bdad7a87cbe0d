package main

import (
	"io"
	"testing"
)

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-viewers", "0"}, {"-rounds", "0"}, {"-turns", "19"}, {"-turns", "70000"}, {"more"}} {
		if err := program.Run(t.Context(), append([]string{"-compare"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("viewload %v is accepted", args)
		}
	}
}
