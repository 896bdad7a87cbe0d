package config

import "testing"

func TestLogLevel(t *testing.T) {
	tests := []struct {
		name   string
		o      origins
		want   LogLevel
		origin string
	}{
		{"default", origins{}, Verbose, "default"},
		{"bare flag", origins{args: []string{"--quiet"}}, Quiet, "flag --quiet"},
		{"file", origins{file: "debug: true"}, Debug, "file arena.yaml:1"},
		{"flag over file", origins{
			file: "quiet: true", args: []string{"--debug"},
		}, Debug, "flag --debug"},
		{"verbose over quiet", origins{
			file: "quiet: true", env: []string{"HEXARENA_VERBOSE=1"},
		}, Verbose, "environment HEXARENA_VERBOSE"},
		{"turned off again", origins{
			file: "quiet: true", args: []string{"--quiet=false"},
		}, Verbose, "flag --quiet"},
		{"others turned off", origins{
			file: "quiet: true\nverbose: false\ndebug: false",
		}, Quiet, "file arena.yaml:1"},
		{"off beside on", origins{args: []string{"--verbose=false", "--debug"}}, Debug, "flag --debug"},
		{"another one turned off", origins{
			file: "quiet: true", args: []string{"--debug=false"},
		}, Quiet, "file arena.yaml:1"},
		{"repeated in a stronger origin", origins{
			file: "quiet: true", args: []string{"--quiet"},
		}, Quiet, "flag --quiet"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := mustLoad(t, tt.o)
			if got := e.Config().LogLevel; got != tt.want || e.Origin(string(got)) != tt.origin {
				t.Errorf("level = %s from %s, want %s from %s", got, e.Origin(string(got)), tt.want, tt.origin)
			}
		})
	}
}

func TestLogLevelMistakes(t *testing.T) {
	const none = `verbose = "false" (flag --verbose): leaves no log level; want quiet or debug turned on instead`
	tests := []struct {
		o    origins
		want string
	}{
		{origins{
			args: []string{"--quiet", "--debug"},
		}, `debug = "true" (flag --debug): excludes quiet (flag --quiet)`},
		{origins{
			args: []string{"--verbose", "--quiet"},
		}, `quiet = "true" (flag --quiet): excludes verbose (flag --verbose)`},
		{origins{args: []string{"--verbose=false"}}, none},
		{origins{file: "quiet: true", args: []string{"--verbose=false", "--quiet=false"}}, none},
	}
	for _, tt := range tests {
		if got := mistakes(t, tt.o); len(got) != 1 || got[0] != tt.want {
			t.Errorf("Load(%+v) = %q, want %q", tt.o, got, tt.want)
		}
	}
}
