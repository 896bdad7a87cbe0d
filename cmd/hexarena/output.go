package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
)

// checkedOutput is standard output unless that is a terminal. It keeps the first error of writing,
// which makes the program fail, unless the reader of a pipe has ended: not each command looks at
// it, and cobra does not.
type checkedOutput struct {
	io.Writer
	failed atomic.Pointer[error]
}

// Write implements io.Writer.
func (o *checkedOutput) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if err != nil {
		o.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// forLog returns an output for a log, whose loss does not make the program fail.
func forLog(w io.Writer) io.Writer {
	if checked, ok := w.(*checkedOutput); ok {
		return checked.Writer
	}
	return w
}

// output is how a command prints its result: as text, or with --json as one JSON value.
type output struct {
	cmd *cobra.Command
	err error // of writing
}

// addOutput gives a command the flag --json, unless one of its settings has that name, and returns
// its output.
func addOutput(cmd *cobra.Command) *output {
	if jsonFlag(cmd) == nil {
		cmd.Flags().Bool("json", false, "print the result as JSON")
	}
	return &output{cmd: cmd}
}

// jsonFlag returns the flag --json of a command, or nil. Lookup finds json-logs where that is the
// only flag that begins so.
func jsonFlag(cmd *cobra.Command) *pflag.Flag {
	if f := cmd.Flags().Lookup("json"); f != nil && f.Name == "json" {
		return f
	}
	return nil
}

// json reports whether the result is printed as JSON.
func (o *output) json() bool { return jsonFlag(o.cmd).Value.String() == "true" }

// print prints a result as JSON, or its text.
func (o *output) print(result any, format string, args ...any) error {
	o.text(format, args...)
	return o.value(result)
}

// text prints a part of the text of a result, unless that is printed as JSON.
func (o *output) text(format string, args ...any) {
	if !o.json() && o.err == nil {
		_, o.err = fmt.Fprintf(o.cmd.OutOrStdout(), format, args...)
	}
}

// value prints a result, if that is printed as JSON. The error is also that of texts before.
func (o *output) value(result any) error {
	if o.json() && o.err == nil {
		o.err = textutil.WriteJSON(o.cmd.OutOrStdout(), result)
	}
	return o.err
}

// printError prints the error with which the program ends: as text, or as one line of JSON if the
// command line has --json.
func printError(w io.Writer, cmd *cobra.Command, args []string, err error, code int) {
	text := tui.PlainLines(err.Error()) // it may quote a server, a bot or a file
	if asJSON(cmd, args) {
		_ = textutil.WriteJSONLine(w, struct {
			Error    string `json:"error"`
			ExitCode int    `json:"exit_code"`
		}{text, code})
		return
	}
	fmt.Fprintf(w, "%s: %s\n", cmd.Root().Name(), indented(text))
}

// The values of --progress.
const (
	progressText = "text"
	progressJSON = "json"
)

// addProgress gives a command the flag --progress. With json, each line that the command prints on
// standard error is one JSON object.
func addProgress(cmd *cobra.Command) {
	kind := cmd.Flags().String("progress", progressText,
		"how the progress is printed on standard error: text, or json, an object on each line")
	completeWords(cmd, "progress", []string{progressText, progressJSON})
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		switch *kind {
		case progressText:
		case progressJSON:
			cmd.SetErr(tui.NewMessages(cmd.ErrOrStderr()))
		default:
			return usageErrorf("--progress: %q: want %s or %s", *kind, progressText, progressJSON)
		}
		return nil
	}
}

// asJSON reports whether a command line has --json or --progress json, also behind a flag that is
// wrong, where the command's flags are not set. Of two the last one counts, as for pflag.
func asJSON(cmd *cobra.Command, args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	result, progress := false, false
	for i, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		if f := cmd.Flags().Lookup(strings.TrimPrefix(name, "--")); f != nil && name != "--json" {
			name = "--" + f.Name // of which it may be a beginning
		}
		switch name {
		case "--json":
			result = !given
			if given {
				result, _ = strconv.ParseBool(value)
			}
		case "--progress":
			if !given && i+1 < len(args) {
				value = args[i+1]
			}
			progress = value == progressJSON
		}
	}
	return result || progress
}

// indented returns a text whose lines after the first begin with spaces, so that none looks like
// another message.
func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines[1:] {
		if line != "" && line[0] != ' ' {
			lines[i+1] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}
