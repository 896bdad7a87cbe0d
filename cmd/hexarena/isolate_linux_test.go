package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// staticProgram returns the folder of this program, built as releases are: containers do not have
// the libraries that a test needs.
var staticProgram = sync.OnceValues(func() (string, error) {
	ours, err := exec.LookPath("hexarena") // in a folder that is removed after the tests
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(ours), "static")
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "hexarena"), ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

// stdioPlayer is a bot on standard input and output, in the language that every image has.
const stdioPlayer = `#!/bin/sh
ahead=$(echo '{"reset":{}}' | "$HEXARENA" env --json)
echo "looks ahead: ${ahead%%,*}, uid $(id -u), files: $(echo /bot/*), devices: $(sed -n 's/^ *\([a-z0-9]*\):.*/\1/p' /proc/net/dev | tr '\n' ' ')" >&2
(echo x >/bot/x) 2>/dev/null && echo wrote >&2
echo '{"message_type":"LOGIN","nickname":"sh","role":"player","metaprotocol_version":"2.0.0"}'
while read -r line; do
	case $line in *'"message_type":"TURN"'*)
		turn=${line##*'"turn_number":'}
		echo "{\"message_type\":\"TURN_ACK\",\"turn_number\":${turn%%[,\}]*},\"actions\":[]}" ;;
	esac
done
`

// isolated is a folder with bots, and an environment in which one container runtime is found.
type isolated struct {
	t   *testing.T
	dir string
	env []string
}

func newIsolated(t *testing.T) *isolated {
	thorough.Long(t)
	program, err := staticProgram()
	if err != nil {
		t.Fatal(err)
	}
	s := &isolated{
		t: t, dir: t.TempDir(),
		env: append(os.Environ(), "PATH="+program+":"+os.Getenv("PATH"), "NO_COLOR=1"),
	}
	s.write("speaks.sh", stdioPlayer)
	s.write("dials.sh",
		"#!/bin/sh\nexec hexarena bot random --port $BOT_PORT --nickname $BOT_NICKNAME\n")
	s.write("fails.sh", "#!/bin/sh\nkill -SEGV $$\n")
	return s
}

func (s *isolated) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chmod(path, 0o755); err != nil { // whatever the umask: the bot is another user
		s.t.Fatal(err)
	}
}

// command returns a command that runs hexarena in the folder.
func (s *isolated) command(args ...string) *exec.Cmd {
	program, _ := staticProgram()
	cmd := exec.CommandContext(s.t.Context(), filepath.Join(program, "hexarena"), args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// run runs hexarena and returns what it prints, and its exit code.
func (s *isolated) run(args ...string) (string, int) {
	cmd := s.command(args...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// play plays on the smallest map: a shell takes long over each line.
func (s *isolated) play(args ...string) (string, int) {
	return s.run(append([]string{"play", "--isolate", "--map=pebble", "--turns=10", "--record=recordings", "--http=", "--port=0", "--strict", "--start-timeout=60s"}, args...)...)
}

// read returns the text of a file in the folder.
func (s *isolated) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// standIn makes the stand-in the only container runtime, and returns the file of its command lines.
func (s *isolated) standIn() {
	path, err := exec.LookPath("stand-in-runtime")
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("bin/podman", fmt.Sprintf("#!/bin/sh\nexec %s \"$@\"\n", path))
	s.env = append(s.env, "PATH="+filepath.Join(s.dir, "bin")+":"+pathOf(s.env),
		standInLog+"="+filepath.Join(s.dir, "commands"))
}

func pathOf(env []string) (path string) {
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	return path
}

// The command line of the container runtime, which is the same for podman and docker.
func TestIsolatedCommandLine(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.standIn()
	out, code := s.play("--env=GREETING=hello", "--isolate-memory=64", "--isolate-cpus=2",
		"./dials.sh", "stdio:./speaks.sh")
	if code != 0 ||
		!strings.Contains(out, "started bots are isolated by podman 9.9: 64 MiB, 2 cores each, ") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	changing := regexp.MustCompile(`source=[^,]*/(sockets|s|hexarena|dials\.sh|speaks\.sh),|hexarena-[a-z0-9]{26}|(BOT_SEED|nproc)=[0-9:]+|--user [0-9]+:[0-9]+`)
	var got []string
	for line := range strings.Lines(s.read("commands")) {
		var words []string
		if err := json.Unmarshal([]byte(line), &words); err != nil {
			t.Fatal(err)
		}
		text := changing.ReplaceAllStringFunc(strings.Join(words, " "), func(match string) string {
			name, value, ok := strings.Cut(match, "=")
			switch {
			case name == "source":
				return "source=…/" + filepath.Base(strings.TrimSuffix(value, ",")) + ","
			case ok:
				return name + "=…"
			case strings.HasPrefix(match, "--user"):
				return "--user …"
			}
			return "hexarena-…"
		})
		got = append(got, text)
	}
	text := strings.ReplaceAll(strings.Join(got, "\n\n"), " --", "\n    --") + "\n"
	const golden = "testdata/isolate.golden"
	if os.Getenv("UPDATE_SCRIPTS") != "" {
		writeText(t, golden, text)
	}
	want := readText(t, golden)
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
}

// An exam examines submissions whose files other users cannot read, since it isolates copies. If
// this machine lacks an image, it stops.
func TestIsolatedExamOfPrivateFiles(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.standIn()
	s.write("all/ann/main.sh", "#!/bin/sh\nexec hexarena bot hunter --port $BOT_PORT --nickname "+
		"$BOT_NICKNAME --seed $BOT_SEED\n")
	for name, mode := range map[string]os.FileMode{"all/ann": 0o700, "all/ann/main.sh": 0o700} {
		if err := os.Chmod(filepath.Join(s.dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	exam := "isolate: true\nturns: 5\nmaps: pebble\nseeds: 1\nstart-timeout: 1m\nmarks: {random: 1%}\n"
	s.write("exam.yaml", exam)
	s.write("missing.yaml", exam+"isolate-image: missing\n")
	for _, line := range []string{"cup all --exam exam.yaml", "cup all --exam missing.yaml"} {
		out, code := s.run(strings.Fields(line)...)
		want, says := 0, "ann passes"
		if strings.Contains(line, "missing") {
			want, says = exitUsage, "there is no image missing here"
		}
		if code != want || !strings.Contains(out, says) {
			t.Errorf("%s: exit code %d\n%s", line, code, out)
		}
	}
}

// breakRuntime replaces the container runtime by one that answers, and starts no container.
func (s *isolated) breakRuntime() {
	s.t.Helper()
	s.write("bin/podman", `#!/bin/sh
case $1 in
info) echo '9.9 true v2 [cpu memory pids]';;
run) echo 'crun: no such controller' >&2; exit 126;;
esac
`)
	s.env = append(s.env, "PATH="+filepath.Join(s.dir, "bin")+":"+pathOf(s.env))
}

// A container runtime that cannot start a container is found before the first match: no bot
// forfeits and no submission fails.
func TestIsolationIsTried(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.breakRuntime()
	s.write("all/ann/main.sh", "#!/bin/sh\n")
	s.write("exam.yaml", "isolate: true\nseeds: 1\nmarks: {random: 1%}\n")
	for _, args := range []string{
		"cup --isolate ./speaks.sh ./dials.sh", "cup all --exam exam.yaml",
		"play --isolate ./speaks.sh",
	} {
		out, code := s.run(strings.Fields(args)...)
		const want = "no container can be started: podman: crun: no such controller"
		if code != exitUsage || !strings.Contains(out, want) || strings.Contains(out, "begins in") {
			t.Errorf("%s: exit code %d\n%s", args, code, out)
		}
	}
}

// A bot that cannot be isolated is refused, as a wrong setting, with the reason.
func TestIsolationIsRefused(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.write("one/main.py", "")
	s.write("one/other.sh", "#!/bin/sh\n")
	none := &isolated{t: t, dir: s.dir, env: slices.Clip(s.env)}
	s.standIn()
	if err := os.Mkdir(filepath.Join(s.dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	none.env = append(none.env, "PATH="+filepath.Join(s.dir, "empty"))
	for _, tt := range []struct {
		s    *isolated
		args string
		says string
	}{
		{none, "play --isolate ./speaks.sh", `isolate = "true" (flag --isolate): bots cannot be isolated here: podman is not installed; docker is not installed; one of them is needed, since control groups (cgroups v2) alone hide neither files nor the network from a bot`},
		{none, "serve --isolate --seats ./speaks.sh", "podman is not installed"},
		{none, "cup --isolate ./speaks.sh ./dials.sh", "podman is not installed"},
		{s, "play --isolate --isolate-image missing " +
			"./speaks.sh", `there is no image missing here: run "podman pull missing" once`},
		{s, "play --isolate one/main.py one/other.sh", "is another bot's: give each a folder of its own"},
		{s, "play --game hextictactoe --isolate ./speaks.sh~--port~{port} " +
			"random", "have it dial BOT_HOST and BOT_PORT"},
		{s, "play --isolate-memory 64 ./speaks.sh", "has no effect without --isolate"},
		{s, "play --isolate --isolate-memory 0 ./speaks.sh", "want an integer from 16"},
	} {
		args := strings.Fields(tt.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "~", " ")
		}
		if out, code := tt.s.run(args...); code != exitUsage || !strings.Contains(out, tt.says) {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", tt.args, code, tt.says, out)
		}
	}
}

// Every command that starts bots isolates them.
func TestIsolateEverywhere(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.standIn()
	if out, code := s.play("./dials.sh", "stdio:./speaks.sh"); code != 0 {
		t.Fatalf("play: exit code %d\n%s", code, out)
	}
	recordings, err := filepath.Glob(filepath.Join(s.dir, "recordings", "*"))
	if err != nil || len(recordings) != 1 {
		t.Fatal(recordings, err)
	}
	for name, args := range map[string][]string{
		"rerun": {"replay", "rerun", recordings[0], "--seat=1", "--isolate", "--differences=0", "--", "stdio:./speaks.sh"},
		"cup":   {"cup", "./dials.sh", "./speaks.sh", "painter", "--isolate", "--turns=5", "--count=3", "--start-timeout=60s", "--map=pebble"},
		"serve": {"serve", "--isolate", "--seats=./dials.sh painter", "--map=pebble", "--players=2", "--visualizations=0", "--autostart", "--http=", "--record=", "--turns=5", "--pace=fast", fmt.Sprint(
			"--port=", freePort(t))},
	} {
		before := strings.Count(s.read("commands"), `["run"`)
		out, code := s.run(args...)
		if started := strings.Count(s.read("commands"), `["run"`) - before; started == 0 || code > 1 {
			t.Errorf("%s: exit code %d, %d containers\n%s", name, code, started, out)
		}
	}
}

// Submissions of an exam are isolated, and one that crashes does not keep others from passing.
func TestIsolatedExam(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.standIn()
	s.write("all/ann/main", "#!/bin/sh\nexec hexarena bot hunter --port $BOT_PORT --nickname "+
		"$BOT_NICKNAME --seed $BOT_SEED\n")
	s.write("all/bob/main", "#!/bin/sh\nkill -SEGV $$\n")
	s.write("exam.yaml",
		"turns: 5\nmaps: pebble\nseeds: 1\nisolate: true\nstart-timeout: 60s\nmarks: {random: 50%}\n")
	out, code := s.run("cup", "all", "--exam", "exam.yaml", "--csv")
	if code != exitExamFailed || !strings.Contains(out, "ann,true,") ||
		!strings.Contains(out, "bob,false,") || !strings.Contains(out, "isolated by podman 9.9") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, name := range []string{"ann", "bob"} {
		if commands := s.read("commands"); !strings.Contains(commands, "/"+name+",") &&
			!strings.Contains(commands, name+"/main") {
			t.Errorf("no container has the files of %s:\n%s", name, commands)
		}
	}
}

// A program that is not in the image, and one that crashes, are told from each other.
func TestIsolatedFailures(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	s.standIn()
	out, _ := s.play("./fails.sh", "./dials.sh")
	if !strings.Contains(out, "hexarena: the bot was ended by SIGSEGV") {
		t.Error(out)
	}
	s.write("elsewhere/only-here", "#!/bin/sh\n")
	s.env = append(s.env, "PATH="+filepath.Join(s.dir, "elsewhere")+":"+pathOf(s.env))
	s.write("bin/podman", strings.Replace(s.read("bin/podman"), "exec", "PATH=/usr/bin:/bin exec", 1))
	out, _ = s.play("only-here x", "only-here y")
	if !strings.Contains(out, "has no program only-here: choose an image that has it with --isolate-image") {
		t.Error(out)
	}
}
