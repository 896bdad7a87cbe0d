package kits

import (
	"embed"
	"regexp"
)

//go:embed cpp/hexarena.hpp cpp/hexabomb.hpp cpp/bot.cpp cpp/look_ahead.cpp
var cppFiles embed.FS

var cpp = Kit{
	Language: "C++", Folder: "cpp", Extension: ".cpp",
	Library:   []string{"hexarena.hpp", "hexabomb.hpp"},
	OfGame:    map[string]string{"hexabomb.hpp": "hexabomb"},
	Starters:  map[string]string{"hexabomb": "bot.cpp"},
	LookAhead: map[string]string{"hexabomb": "look_ahead.cpp"}, Vectors: "vectors.cpp",
	Tools:   []string{"g++", "clang++"},
	Advice:  "install GCC or Clang, such as Debian's g++, Xcode's command line tools or MSYS2's gcc",
	Build:   []string{"{tool}", "-std=c++17", "-O2", "-Wall", "-o", "{program}", "{bot}"},
	Run:     []string{"{program}"},
	Shell:   "g++ -std=c++17 -O2 -o {name} {bot} && ./{name}",
	Debug:   `g++ -std=c++17 -g -o {name} {bot} && hexarena play "gdb -batch -ex 'catch throw' -ex run -ex backtrace --args ./{name}" painter`,
	Uses:    regexp.MustCompile(`(?m)^\s*#\s*include\s*["<]hexarena\.hpp[">]`),
	Imports: regexp.MustCompile(`(?m)^\s*#\s*include\s*"([^"]+)"`),
	files:   cppFiles,
}
