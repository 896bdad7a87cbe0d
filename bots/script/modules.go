package script

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/grafana/sobek"
)

// modules are the modules of a script: CommonJS, as Node takes a .js file, and those of ECMAScript.
type modules struct {
	vm     *sobek.Runtime
	folder *folder
	main   string                        // the script, unless it is a module of ECMAScript
	common map[string]*sobek.Object      // by file: the object module
	esm    map[string]sobek.ModuleRecord // by file
	names  map[sobek.ModuleRecord]string
	// exports returns the exports of a file in place of those that it has, or nil.
	exports func(file string, has sobek.Value) sobek.Value
}

// newModules returns the modules of a folder. Tracebacks find the lines of its files.
func newModules(vm *sobek.Runtime, f *folder) *modules {
	m := &modules{
		vm: vm, folder: f, common: map[string]*sobek.Object{}, esm: map[string]sobek.ModuleRecord{},
		names: map[sobek.ModuleRecord]string{},
	}
	for file, content := range f.files {
		sources[m.shown(file)] = content
	}
	vm.SetImportModuleDynamically(func(referrer any, specifier sobek.Value, capability any) {
		record, err := m.record(referrer, specifier.String())
		if err != nil {
			vm.FinishLoadingImportModule(referrer, specifier, capability, nil, m.thrown(err))
			return
		}
		vm.FinishLoadingImportModule(referrer, specifier, capability, record, nil)
	})
	return m
}

// syntax matches a line that only a module of ECMAScript has.
var syntax = regexp.MustCompile(`(?m)^\s*(import\b[^(.]|export\b)`)

// isESM reports whether a file is a module of ECMAScript, as Node decides: by the extension, else
// by its syntax.
func (m *modules) isESM(file string) bool {
	switch path.Ext(file) {
	case ".mjs":
		return true
	case ".cjs", ".json":
		return false
	}
	source := m.folder.files[file]
	if !syntax.Match(source) {
		return false
	}
	_, err := m.compile(file)
	return err != nil
}

// run runs the script. The promise is of a module of ECMAScript, which may wait for something;
// otherwise it is nil.
func (m *modules) run(file string) (*sobek.Promise, error) {
	if !m.isESM(file) {
		m.main = file
		_, err := m.require(file)
		return nil, err
	}
	record, err := m.load(file)
	if err != nil {
		return nil, err
	}
	if err := record.Link(); err != nil {
		return nil, err
	}
	cyclic, ok := record.(sobek.CyclicModuleRecord)
	if !ok {
		return nil, fmt.Errorf("%s is no module", file)
	}
	return m.vm.CyclicModuleRecordEvaluate(cyclic, m.record), nil
}

// shown returns how a file is named in tracebacks: as its user named it.
func (m *modules) shown(file string) string {
	return filepath.Join(m.folder.dir, filepath.FromSlash(file))
}

// before stands before a file of CommonJS, in its first line, so that lines keep their numbers.
const before = "(function(exports,require,module,__filename,__dirname){"

func (m *modules) compile(file string) (*sobek.Program, error) {
	return sobek.Compile(m.shown(file), before+source(m.folder.files[file])+"\n})", false)
}

// source returns a file's text, whose first line may name a program that runs it.
func source(content []byte) string {
	text := strings.TrimPrefix(string(content), "\ufeff")
	if strings.HasPrefix(text, "#!") {
		text = "//" + text[2:]
	}
	return text
}

// require returns the exports of a file, which it runs the first time.
func (m *modules) require(file string) (sobek.Value, error) {
	if module, ok := m.common[file]; ok {
		return module.Get("exports"), nil
	}
	module, exports := m.vm.NewObject(), m.vm.NewObject()
	_ = module.Set("exports", exports) // a new object refuses nothing
	m.common[file] = module
	if path.Ext(file) == ".json" {
		value, err := m.parseJSON(file)
		if err == nil {
			err = module.Set("exports", value)
		}
		return value, err
	}
	program, err := m.compile(file)
	if err != nil {
		return nil, err
	}
	value, err := m.vm.RunProgram(program)
	if err != nil {
		return nil, err
	}
	function, _ := sobek.AssertFunction(value)
	require := m.vm.ToValue(func(call sobek.FunctionCall) sobek.Value {
		return m.required(file, call.Argument(0).String())
	}).ToObject(m.vm)
	if main, ok := m.common[m.main]; ok {
		_ = require.Set("main", main)
	}
	name, dir := m.vm.ToValue(m.shown(file)), m.vm.ToValue(m.folder.dir)
	_, err = function(exports, exports, require, module, name, dir)
	if err != nil {
		return nil, err
	}
	if m.exports != nil {
		if other := m.exports(file, module.Get("exports")); other != nil {
			_ = module.Set("exports", other)
		}
	}
	return module.Get("exports"), nil
}

// required is the function require of a file.
func (m *modules) required(from, specifier string) sobek.Value {
	file, err := m.folder.resolve(from, specifier)
	if err != nil {
		panic(m.thrown(err))
	}
	if m.isESM(file) {
		panic(m.thrown(fmt.Errorf("require() of %s, which is an ECMAScript module; use import", file)))
	}
	value, err := m.require(file)
	if err != nil {
		panic(m.thrown(err))
	}
	return value
}

// thrown returns an error as a script catches it.
func (m *modules) thrown(err error) any {
	var thrown *sobek.Exception
	var stop *sobek.InterruptedError
	switch {
	case errors.As(err, &thrown):
		return thrown.Value()
	case errors.As(err, &stop):
		return stop
	}
	object, failed := m.vm.New(m.vm.Get("Error"), m.vm.ToValue(messageOf(err)))
	if failed != nil {
		return m.vm.ToValue(err.Error())
	}
	return object
}

func (m *modules) parseJSON(file string) (sobek.Value, error) {
	parse, ok := sobek.AssertFunction(m.vm.Get("JSON").ToObject(m.vm).Get("parse"))
	if !ok {
		return nil, errors.New("JSON.parse is not a function")
	}
	return parse(sobek.Undefined(), m.vm.ToValue(source(m.folder.files[file])))
}

// record returns what a module imports.
func (m *modules) record(referrer any, specifier string) (sobek.ModuleRecord, error) {
	from := "."
	if r, ok := referrer.(sobek.ModuleRecord); ok {
		from = m.names[r]
	}
	file, err := m.folder.resolve(from, specifier)
	if err != nil {
		return nil, err
	}
	return m.load(file)
}

// load returns the module of a file. A file of CommonJS runs at once.
func (m *modules) load(file string) (record sobek.ModuleRecord, err error) {
	if record, ok := m.esm[file]; ok {
		return record, nil
	}
	if m.isESM(file) {
		record, err = sobek.ParseModule(m.shown(file), source(m.folder.files[file]), m.record)
	} else {
		record, err = m.commonAsModule(file)
	}
	if err != nil {
		return nil, err
	}
	m.esm[file], m.names[record] = record, file
	return record, nil
}

// commonModule is a file of CommonJS as modules of ECMAScript import it: the default export is
// module.exports, and its properties are exports of their own.
type commonModule struct {
	exports map[string]sobek.Value
}

func (m *modules) commonAsModule(file string) (sobek.ModuleRecord, error) {
	value, err := m.require(file)
	if err != nil {
		return nil, err
	}
	c := &commonModule{map[string]sobek.Value{"default": value}}
	if object, ok := value.(*sobek.Object); ok {
		for _, name := range object.Keys() {
			c.exports[name] = object.Get(name)
		}
	}
	return c, nil
}

// Link implements sobek.ModuleRecord.
func (c *commonModule) Link() error { return nil }

// Evaluate implements sobek.ModuleRecord.
func (c *commonModule) Evaluate(vm *sobek.Runtime) *sobek.Promise {
	promise, resolve, _ := vm.NewPromise()
	_ = resolve(c) // nothing waits for it yet
	return promise
}

// GetExportedNames implements sobek.ModuleRecord.
func (c *commonModule) GetExportedNames(callback func([]string), _ ...sobek.ModuleRecord) bool {
	var names []string
	for name := range c.exports {
		names = append(names, name)
	}
	callback(names)
	return true
}

// ResolveExport implements sobek.ModuleRecord.
func (c *commonModule) ResolveExport(
	name string, _ ...sobek.ResolveSetElement,
) (*sobek.ResolvedBinding, bool) {
	if _, ok := c.exports[name]; !ok {
		return nil, false
	}
	return &sobek.ResolvedBinding{Module: c, BindingName: name}, false
}

// GetBindingValue implements sobek.ModuleInstance.
func (c *commonModule) GetBindingValue(name string) sobek.Value { return c.exports[name] }
