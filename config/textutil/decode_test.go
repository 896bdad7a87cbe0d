package textutil

import "testing"

func TestDecode(t *testing.T) {
	for name, want := range map[string]string{
		"":              "",
		"König":         "König",
		"K\xf6nig":      "König", // Latin-1
		"K\x94nig":      "König", // code page 437
		"Nu\xa4ez":      "Nuñez", // code page 437
		"\xc4nne\xdf":   "Änneß", // Latin-1
		"Weib\xe1 \x9a": "Weibß Ü",
	} {
		if got := Decode(name); got != want {
			t.Errorf("Decode(%q) = %q, want %q", name, got, want)
		}
	}
}
