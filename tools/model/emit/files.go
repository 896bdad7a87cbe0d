// Package emit writes what follows from the models of what is sent: JSON Schemas, tables of the
// documentation and the types of the kits. All of it is committed, and a test compares it.
//
// To give the kit of another language its types,
//
//  1. write a file here, named after the language, with one exported function: an [Emitter], which
//     returns the types and ends with a line feed; text.go has what all languages share;
//  2. add the kit's file to the table kits in kits.go, with the games whose types it needs and the
//     types that it defines itself, since they have methods;
//  3. put two lines around the place of the types in that file, as comments of its language:
//     one that contains "types: generated from protocol/netorcai/model.json" and, below it, one
//     that contains "end of types";
//  4. run go generate ./protocol/netorcai/model
//
// The lines themselves stay as they are; what is between them is replaced, with an empty line
// after the first and before the second.
package emit

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// SchemaFolder holds the JSON Schemas, and nothing else.
const SchemaFolder = "docs/schemas"

// Files returns the contents of all files that follow from the models, by their paths below
// root, the root of the repository. Of files in which only sections are generated, it reads the
// rest.
func Files(root fs.FS) (map[string]string, error) {
	models := map[string]*model.Model{}
	files := map[string]string{}
	for _, file := range model.Files(root) {
		m, err := model.Read(root, file)
		if err != nil {
			return nil, err
		}
		models[m.Name] = m
		for name, schema := range Schemas(m) {
			files[path.Join(SchemaFolder, m.Name, name+".json")] = schema
		}
	}
	list := kitSections(models)
	for _, s := range tables {
		list = append(
			list,
			section{
				s.file, "<!-- " + s.name + " -->", "<!-- end of " + s.name + " -->", s.write(models[s.model]),
			},
		)
	}
	for _, s := range list {
		if err := s.writeTo(files, root); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Stale returns the paths of the generated files that differ from what Files returns, or that
// are in the folder of schemas and not generated, in order.
func Stale(root fs.FS, files map[string]string) ([]string, error) {
	var stale []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if text, err := fs.ReadFile(root, name); err != nil || string(text) != files[name] {
			stale = append(stale, name)
		}
	}
	err := fs.WalkDir(root, SchemaFolder, func(name string, d fs.DirEntry, err error) error {
		if _, generated := files[name]; err == nil && !d.IsDir() && !generated {
			stale = append(stale, name)
		}
		return err
	})
	return stale, err
}

// section is what is generated between two lines of a file.
type section struct {
	file       string
	begin, end string // contained in the lines around it
	content    string
}

// writeTo puts the section into its file in files, where it is read from root if it is not
// there yet.
func (s section) writeTo(files map[string]string, root fs.FS) error {
	text, read := files[s.file]
	if !read {
		content, err := fs.ReadFile(root, s.file)
		if err != nil {
			return err
		}
		text = string(content)
	}
	text, err := s.replace(text)
	if err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	files[s.file] = text
	return nil
}

// replace returns text with the section's content between its two lines, both of which stay.
func (s section) replace(text string) (string, error) {
	before, rest, begins := strings.Cut(text, s.begin)
	line, rest, _ := strings.Cut(rest, "\n")
	old, after, ends := strings.Cut(rest, s.end)
	if !begins || !ends {
		return "", fmt.Errorf("it has no line with %q and a later one with %q", s.begin, s.end)
	}
	// of the last line, or the beginning of its comment
	indent := old[strings.LastIndexByte(old, '\n')+1:]
	return before + s.begin + line + "\n" + s.content + indent + s.end + after, nil
}
