package launch

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// kept are the variables of this process's environment that a child gets. It does not get the
// others, since they may be credentials or settings of this program.
var kept = strings.Fields(`
	PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR TZ TMPDIR
	XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME LD_LIBRARY_PATH DYLD_LIBRARY_PATH
	OMP_NUM_THREADS CUDA_VISIBLE_DEVICES
	GOROOT GOPATH GOCACHE GOMODCACHE GOTOOLCHAIN GOFLAGS
	PYTHONPATH PYTHONHOME PYTHONUTF8 PYTHONIOENCODING VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION
	NODE_PATH NVM_DIR NVM_BIN VOLTA_HOME DENO_DIR BUN_INSTALL
	CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN
	JAVA_HOME CLASSPATH KOTLIN_HOME SCALA_HOME
	DOTNET_ROOT DOTNET_CLI_HOME NUGET_PACKAGES
	GEM_HOME GEM_PATH RUBYLIB RBENV_ROOT RBENV_VERSION PERL5LIB LUA_PATH LUA_CPATH
	R_HOME R_LIBS JULIA_DEPOT_PATH OPAMROOT OPAMSWITCH GHCUP_INSTALL_BASE_PREFIX ASDF_DATA_DIR MISE_DATA_DIR NIX_PATH
	SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE USERNAME HOMEDRIVE HOMEPATH
	APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES
	OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PSMODULEPATH`)

// inherited returns the entries, KEY=value, that a child gets from this process's environment: all,
// or those that are kept; and HEXARENA, the path of this program, with which bots look ahead.
func inherited(whole bool) (list []string) {
	if path, err := os.Executable(); err == nil {
		list = append(list, "HEXARENA="+path)
	}
	if whole {
		return append(os.Environ(), list...)
	}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if slices.Contains(kept, name) || strings.HasPrefix(name, "LC_") {
			list = append(list, entry)
		}
	}
	return list
}

// ParseEnv returns the entries, KEY=value, that a text names: NAME stands for a variable of this
// process's environment, NAME=VALUE for itself. They are separated as by [Split].
func ParseEnv(text string) ([]string, error) {
	words, err := Split(text)
	for i, word := range words {
		name, _, given := strings.Cut(word, "=")
		value, set := os.LookupEnv(name)
		switch {
		case name == "":
			return nil, fmt.Errorf("%q has no name: want NAME or NAME=VALUE", word)
		case !given && !set:
			return nil, fmt.Errorf("%s is not set: set it, or write %[1]s=VALUE", name)
		case !given:
			words[i] = name + "=" + value
		}
	}
	return words, err
}
