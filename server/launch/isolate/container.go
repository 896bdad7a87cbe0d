package isolate

import (
	"cmp"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// findPodman returns podman, or why bots cannot be isolated with it.
func findPodman(ctx context.Context) (*Runtime, error) {
	const format = "{{.Version.Version}} {{.Host.Security.Rootless}} {{.Host.CgroupsVersion}} " +
		"{{.Host.CgroupControllers}}"
	text, err := output(ctx, "podman", "info", "--format", format)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(text))
	if len(words) < 3 {
		return nil, fmt.Errorf("podman: its answer is %q", text)
	}
	c := &Runtime{program: "podman", version: words[0], rootless: words[1] == "true"}
	if !c.rootless { // it may use all controllers of the system
		return c, nil
	}
	for _, controller := range controllers {
		if words[2] != "v2" || !slices.Contains(words[3:], controller) {
			return nil, fmt.Errorf("podman without root cannot limit a container's %s: that takes cgroups "+
				"v2, in which this user may use the controllers %s",
				controller, strings.Join(controllers, ", "))
		}
	}
	return c, nil
}

// controllers are those of cgroups that limit bots.
var controllers = []string{"cpu", "memory", "pids"}

// findDocker returns docker, or why bots cannot be isolated with it.
func findDocker(ctx context.Context) (*Runtime, error) {
	const format = "{{.ServerVersion}} {{.MemoryLimit}} {{.CPUCfsQuota}} {{.PidsLimit}} " +
		"{{.SecurityOptions}}"
	text, err := output(ctx, "docker", "info", "--format", format)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(text)
	if len(words) < 4 || words[0] == "true" || words[0] == "false" {
		return nil, errors.New("docker: its daemon does not answer")
	}
	if slices.Contains(words[1:4], "false") {
		return nil, errors.New(
			"docker cannot limit a container's memory, processors and processes on this system")
	}
	return &Runtime{
		program: "docker", version: words[0], rootless: strings.Contains(text, "name=rootless"),
	}, nil
}

// refuse returns why a command cannot be run in a container, nil if it can. copied reports that
// what runs is a copy, which other users can read.
func (r *Runtime) refuse(ctx context.Context, p *content, copied bool) error {
	if runtime.GOOS == "linux" {
		if err := standsAlone(); err != nil {
			return MachineError{err}
		}
	}
	if id, _ := r.user(); id == otherUser && !copied {
		for _, m := range p.mounts {
			if err := readable(m.source); err != nil {
				return err
			}
		}
	}
	if err := r.wantImage(ctx, r.imageFor(p.argv[0])); err != nil {
		return MachineError{err}
	}
	return nil
}

// standsAlone returns an error if this program needs libraries that a container may not have.
func standsAlone() error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		return fmt.Errorf("%s needs libraries of this machine, which a container does not have: take a "+
			"release of hexarena, or build it with CGO_ENABLED=0", path)
	}
	return nil
}

// otherUser is the user and group that bots have if this program is root's: nobody.
const otherUser = 65534

// user returns the user and group that a bot has in its container. It is this program's user, who
// may read the bot's files, but never root: in a container of a user, that user is called root,
// without root's rights.
func (r *Runtime) user() (uid, gid int) {
	switch {
	case os.Getuid() <= 0: // root, or Windows, which has no such numbers
		return otherUser, otherUser
	case r.rootless:
		return 0, 0
	}
	return os.Getuid(), os.Getgid()
}

// readable returns an error if other users cannot read a file, or a folder.
func readable(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	need := os.FileMode(0o004)
	if info.IsDir() {
		need = 0o005
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&need != need {
		return fmt.Errorf("other users cannot read %s, and isolated bots of root run as one: change its "+
			"mode with chmod -R o+rX", name)
	}
	return nil
}

// Names that a container has, none of which an image has.
const (
	programPath = "/hexarena/program" // this program
	socketsPath = "/hexarena/sockets"
)

// command returns the command line that runs a bot in a sandbox, and the one that removes the
// container when the first was killed.
func (r *Runtime) command(s *Sandbox, b *started) (run, cleanup []string, err error) {
	uid, gid := r.user()
	memory := strconv.Itoa(r.opts.Memory) + "m"
	run = []string{
		r.program, "run", "--rm", "--name", s.name, "--pull", "never", "--log-driver", "none",
		"--stop-timeout", "1",
		"--network", "none", "--read-only", "--tmpfs",
		fmt.Sprintf("/tmp:rw,exec,nosuid,nodev,size=%dm,mode=1777", tmpSize),
		"--cap-drop", "all", "--security-opt", "no-new-privileges", "--security-opt", "label=disable",
		"--user", fmt.Sprintf("%d:%d", uid, gid),
		"--pids-limit", strconv.Itoa(maxTasks), "--memory", memory, "--memory-swap", memory, "--cpus",
		strconv.Itoa(r.opts.CPUs),
	}
	run = append(run, ulimits()...)
	for _, m := range b.mounts {
		run = append(run, "--mount", bind(m))
	}
	for _, entry := range append([]string{"HOME=/tmp"}, b.env...) {
		name, value, _ := strings.Cut(entry, "=")
		if name == "HOME" {
			name += "=" + value // that of the runtime is the user's
		}
		run = append(run, "--env", name) // the value is in the environment, which others cannot read
	}
	if b.stdio {
		run = append(run, "--interactive")
	}
	image := cmp.Or(b.tried, r.imageFor(b.argv[0]))
	entry, arguments := b.argv[0], b.argv[1:]
	if s.dir != "" {
		self, err := os.Executable()
		if err != nil {
			return nil, nil, err
		}
		run = append(run, "--env", "HEXARENA="+programPath, // with which bots look ahead
			"--mount", bind(mount{self, programPath}), "--mount", bind(mount{s.dir, socketsPath}))
		entry = programPath
		t := task{Argv: b.argv, Dir: b.dir, Sockets: socketsPath, Image: image}
		if b.tried != "" {
			t.Argv = nil
		}
		if !b.stdio {
			t.Port = Port
		}
		if arguments, err = inside(t); err != nil {
			return nil, nil, err
		}
	} else if b.dir != "" {
		run = append(run, "--workdir", b.dir)
	}
	run = append(run, "--entrypoint", entry, image)
	return append(run, arguments...), []string{r.program, "rm", "--force", s.name}, nil
}

func bind(m mount) string {
	return fmt.Sprintf("type=bind,source=%s,target=%s,readonly", m.source, m.target)
}
