package kits

import (
	"embed"
	"regexp"
)

//go:embed java/Hexarena.java java/Hexabomb.java java/Bot.java java/LookAhead.java
var javaFiles embed.FS

var java = Kit{
	Language: "Java", Folder: "java", Extension: ".java",
	Library:     []string{"Hexarena.java", "Hexabomb.java"},
	OfGame:      map[string]string{"Hexabomb.java": "hexabomb"},
	Starters:    map[string]string{"hexabomb": "Bot.java"},
	LookAhead:   map[string]string{"hexabomb": "LookAhead.java"},
	ClassOfFile: true, Vectors: "Vectors.java",
	Tools: []string{"javac"},
	Advice: "install a JDK, 17 or newer, such as Debian's default-jdk-headless or one of " +
		"https://adoptium.net",
	Build:   []string{"{tool}", "-encoding", "UTF-8", "-d", "{out}", "-sourcepath", "{dir}", "{bot}"},
	Run:     []string{"java", "-cp", "{out}", "{name}"},
	Shell:   "javac {bot} && java {name}",
	Uses:    regexp.MustCompile(`\bHexarena\b`),
	Imports: regexp.MustCompile(`\b([A-Z]\w*)\b`),
	files:   javaFiles,
}
