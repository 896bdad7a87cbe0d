package memlimit

import (
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	mountV2     = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountV1     = "40 33 0:35 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	mountCPU    = "39 33 0:34 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
	mib         = 1 << 20
	noLimitOfV1 = "9223372036854771712\n"
)

// files are a file system's, by name.
type files map[string]string

func (f files) fs() fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range f {
		m[strings.TrimPrefix(name, "/")] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name  string
		files files
		want  int64  // of the group
		from  string // the file
	}{
		{"no groups", files{}, 0, ""},
		{"version 2, in a namespace", files{
			"/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": mountV2,
			"/sys/fs/cgroup/memory.max": "536870912\n", "/sys/fs/cgroup/memory.high": "max\n",
		}, 512 * mib, "/sys/fs/cgroup/memory.max"},
		{"version 2, high is lower", files{
			"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": mountV2,
			"/sys/fs/cgroup/a/memory.max": "536870912\n", "/sys/fs/cgroup/a/memory.high": "268435456\n",
		}, 256 * mib, "/sys/fs/cgroup/a/memory.high"},
		{"version 2, a parent's is lower", files{
			"/proc/self/cgroup":    "0::/system.slice/hexarena.service\n",
			"/proc/self/mountinfo": mountCPU + mountV2,
			"/sys/fs/cgroup/system.slice/hexarena.service/memory.max": "1073741824\n",
			"/sys/fs/cgroup/system.slice/memory.max":                  "104857600\n",
		}, 100 * mib, "/sys/fs/cgroup/system.slice/memory.max"},
		{"version 2, no limit", files{
			"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": mountV2,
			"/sys/fs/cgroup/a/memory.max": "max\n",
		}, 0, ""},
		{"version 1", files{
			"/proc/self/cgroup":    "5:cpu,cpuacct:/x\n4:memory:/process/1\n0::/\n",
			"/proc/self/mountinfo": mountCPU + mountV1,
			"/sys/fs/cgroup/memory/process/1/memory.limit_in_bytes": "209715200\n",
			"/sys/fs/cgroup/memory/process/memory.limit_in_bytes":   noLimitOfV1,
			"/sys/fs/cgroup/memory/memory.limit_in_bytes":           noLimitOfV1,
		}, 200 * mib, "/sys/fs/cgroup/memory/process/1/memory.limit_in_bytes"},
		{"version 1, no limit", files{
			"/proc/self/cgroup": "4:memory:/\n", "/proc/self/mountinfo": mountV1,
			"/sys/fs/cgroup/memory/memory.limit_in_bytes": noLimitOfV1,
		}, 0, ""},
		{"version 1, in a container that sees the host's path", files{
			"/proc/self/cgroup": "4:memory:/docker/c0ffee\n",
			"/proc/self/mountinfo": "40 33 0:35 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup " +
				"cgroup rw,memory\n",
			"/sys/fs/cgroup/memory/memory.limit_in_bytes": "104857600\n",
		}, 100 * mib, "/sys/fs/cgroup/memory/memory.limit_in_bytes"},
		{"version 2, moved out of its namespace", files{
			"/proc/self/cgroup": "0::/../other\n", "/proc/self/mountinfo": mountV2,
			"/sys/fs/cgroup/memory.max": "104857600\n",
		}, 100 * mib, "/sys/fs/cgroup/memory.max"},
		{"both, memory in version 1", files{
			"/proc/self/cgroup": "4:memory:/a\n0::/\n",
			"/proc/self/mountinfo": mountV1 + "41 33 0:36 / /sys/fs/cgroup/unified rw - cgroup2 " +
				"cgroup2 rw\n",
			"/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "104857600\n",
		}, 100 * mib, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes"},
		{"a name with a space", files{
			"/proc/self/cgroup":              "0::/\n",
			"/proc/self/mountinfo":           `30 23 0:26 / /mnt/control\040groups rw - cgroup2 cgroup2 rw` + "\n",
			"/mnt/control groups/memory.max": "104857600\n",
		}, 100 * mib, "/mnt/control groups/memory.max"},
		{"nonsense", files{
			"/proc/self/cgroup":         "0\n::\n4:memory\n0::\n",
			"/proc/self/mountinfo":      "a - cgroup2\n - \n" + mountV2,
			"/sys/fs/cgroup/memory.max": "-1\n", "/sys/fs/cgroup/memory.high": "many\n",
		}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := Limit{Bytes: test.want / 5 * 4, From: test.from}
			if got := find(test.files.fs()); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// Apply returns the limit that the runtime has, in a separate process.
func TestApply(t *testing.T) {
	if os.Getenv("MEMLIMIT_TEST") != "" {
		l := Apply()
		if inForce := debug.SetMemoryLimit(-1); inForce != l.Bytes &&
			(l.Bytes != 0 || inForce != math.MaxInt64) {
			t.Errorf("Apply says %+v, and the runtime has %d", l, inForce)
		}
		if want := os.Getenv("MEMLIMIT_TEST"); want != "any" &&
			strconv.FormatInt(l.Bytes, 10)+" "+l.From != want {
			t.Errorf("got %+v, want %s", l, want)
		}
		return
	}
	for variable, want := range map[string]string{
		"": "any", "off": "0 GOMEMLIMIT", "100MiB": "104857600 GOMEMLIMIT",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestApply$")
		cmd.Env = append(os.Environ(), "GOMEMLIMIT="+variable, "MEMLIMIT_TEST="+want)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("GOMEMLIMIT=%q: %v\n%s", variable, err, out)
		}
	}
}
