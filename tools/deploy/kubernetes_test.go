package deploy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// fleet holds the keys of an agones.dev/v1 Fleet, after the reference of Agones'
// resources.
type fleet struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		Replicas   int    `json:"replicas"`
		Scheduling string `json:"scheduling"` // Packed or Distributed
		Template   struct {
			meta.ObjectMeta `json:"metadata"`
			Spec            gameServer `json:"spec"`
		} `json:"template"`
	} `json:"spec"`
}

type gameServer struct {
	Container string `json:"container"`
	Ports     []struct {
		Name          string `json:"name"`
		Container     string `json:"container"`
		PortPolicy    string `json:"portPolicy"` // Dynamic, Static or Passthrough
		ContainerPort int    `json:"containerPort"`
		Protocol      string `json:"protocol"` // UDP, TCP or TCPUDP
	} `json:"ports"`
	Health struct {
		InitialDelaySeconds int `json:"initialDelaySeconds"`
		PeriodSeconds       int `json:"periodSeconds"`
		FailureThreshold    int `json:"failureThreshold"`
	} `json:"health"`
	Template core.PodTemplateSpec `json:"template"`
}

// kinds holds the types into which manifests are decoded. Unknown keys are errors.
var kinds = map[string]func() (object any, pod func() *core.PodSpec){
	"apps/v1 Deployment": func() (any, func() *core.PodSpec) {
		d := &apps.Deployment{}
		return d, func() *core.PodSpec { return &d.Spec.Template.Spec }
	},
	"agones.dev/v1 Fleet": func() (any, func() *core.PodSpec) {
		f := &fleet{}
		return f, func() *core.PodSpec { return &f.Spec.Template.Spec.Template.Spec }
	},
	"v1 Service":                         func() (any, func() *core.PodSpec) { return &core.Service{}, nil },
	"networking.k8s.io/v1 NetworkPolicy": func() (any, func() *core.PodSpec) { return &network.NetworkPolicy{}, nil },
	"autoscaling/v2 HorizontalPodAutoscaler": func() (any, func() *core.PodSpec) {
		return &autoscaling.HorizontalPodAutoscaler{}, nil
	},
	"v1 PersistentVolumeClaim": func() (any, func() *core.PodSpec) { return &core.PersistentVolumeClaim{}, nil },
}

func TestManifestsFitTheirSchemas(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "deploy", "kubernetes", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("manifests: %v, %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		docs := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(read(t, "deploy/kubernetes/"+name))))
		for {
			buf := make([]byte, 1<<20)
			n, err := docs.Read(buf)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := judge(buf[:n]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func judge(doc []byte) error {
	var kind meta.TypeMeta
	if err := strict.Unmarshal(doc, &kind); err != nil {
		return err
	}
	create := kinds[kind.APIVersion+" "+kind.Kind]
	if create == nil {
		return fmt.Errorf("no schema for %s %s", kind.APIVersion, kind.Kind)
	}
	object, pod := create()
	if err := strict.UnmarshalStrict(doc, object); err != nil {
		return err
	}
	switch o := object.(type) {
	case *fleet:
		if err := judgeFleet(o); err != nil {
			return err
		}
	case *apps.Deployment:
		if mount := o.Spec.Template.Spec.AutomountServiceAccountToken; mount == nil || *mount {
			return errors.New("the pod gets a token of the cluster")
		}
	case *network.NetworkPolicy:
		if err := judgePolicy(o); err != nil {
			return err
		}
	}
	if pod == nil {
		return nil
	}
	return judgePod(pod())
}

// judgePolicy checks that only the node can reach the probes. Network policies do not
// apply to connections of the node.
func judgePolicy(p *network.NetworkPolicy) error {
	if len(p.Spec.Ingress) == 0 {
		return errors.New("nothing comes in")
	}
	for _, rule := range p.Spec.Ingress {
		if len(rule.Ports) == 0 {
			return errors.New("every port is open")
		}
		for _, port := range rule.Ports {
			if port.Port == nil || port.Port.StrVal != "bots" && port.Port.StrVal != "page" {
				return fmt.Errorf("port %v is open", port.Port)
			}
		}
	}
	return nil
}

func judgeFleet(f *fleet) error {
	// With a separate account, Agones would leave the game's container its token.
	if account := f.Spec.Template.Spec.Template.Spec.ServiceAccountName; account != "" {
		return fmt.Errorf("serviceAccountName: %q", account)
	}
	if s := f.Spec.Scheduling; s != "Packed" && s != "Distributed" {
		return fmt.Errorf("scheduling: %q", s)
	}
	for _, p := range f.Spec.Template.Spec.Ports {
		if p.PortPolicy != "Dynamic" || p.Protocol != "TCP" || p.ContainerPort < 1 || p.ContainerPort > 65535 {
			return fmt.Errorf("port %+v", p)
		}
	}
	return nil
}

// judgePod checks a pod against docs/operator.md: no variables of other services, no
// privileges, no writable files except the recordings, which are bounded, and probes at a
// port that bots and browsers do not use.
func judgePod(p *core.PodSpec) error {
	if p.EnableServiceLinks == nil || *p.EnableServiceLinks {
		return errors.New("enableServiceLinks is not false: the cluster would set HEXARENA_PORT")
	}
	if p.SecurityContext == nil || p.SecurityContext.RunAsNonRoot == nil || !*p.SecurityContext.RunAsNonRoot {
		return errors.New("the pod may run as root")
	}
	for _, c := range p.Containers {
		s := c.SecurityContext
		if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem ||
			s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation {
			return fmt.Errorf("container %s: %+v", c.Name, s)
		}
		if err := judgeProbes(&c); err != nil {
			return fmt.Errorf("container %s: %w", c.Name, err)
		}
		if l := c.Resources.Limits; l.Memory().IsZero() || l.Cpu().IsZero() {
			return fmt.Errorf("container %s: no limit of memory or of processors", c.Name)
		}
	}
	for _, v := range p.Volumes {
		if v.EmptyDir != nil && v.EmptyDir.SizeLimit == nil {
			return fmt.Errorf("volume %s: no sizeLimit", v.Name)
		}
	}
	return nil
}

// judgeProbes checks that all probes of a container use the address of --health.
func judgeProbes(c *core.Container) error {
	if c.ReadinessProbe == nil {
		return errors.New("no readinessProbe")
	}
	for _, probe := range []*core.Probe{c.LivenessProbe, c.ReadinessProbe} {
		if probe == nil {
			continue
		}
		name := probe.HTTPGet.Port.StrVal
		at := slices.IndexFunc(c.Ports, func(p core.ContainerPort) bool { return p.Name == name })
		if at < 0 || !slices.Contains(c.Args, fmt.Sprintf("--health=:%d", c.Ports[at].ContainerPort)) {
			return fmt.Errorf("a probe uses port %q, which is not that of --health", name)
		}
	}
	return nil
}

// A wrong key is an error, because the schemas are strict.
func TestJudgeFindsMistakes(t *testing.T) {
	good := string(read(t, "deploy/kubernetes/fleet.yaml"))
	for _, change := range [][2]string{
		{"enableServiceLinks: false", "enableServiceLinks: true"},
		{"enableServiceLinks: false", "enableServiceLink: false"},
		{"portPolicy: Dynamic", "portPolicy: Dynamo"},
		{"scheduling: Packed", "scheduled: Packed"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"},
		{"port: probes}", "port: page}"},
		{"--health=:8081", "--health=:8080"},
		{"{sizeLimit: 2Gi}", "{}"},
		{`limits: {cpu: "1", memory: 512Mi}`, "limits: {cpu: 1}"},
		{`limits: {cpu: "1", memory: 512Mi}`, "limits: {memory: 512Mi}"},
		{"enableServiceLinks: false", "enableServiceLinks: false\n          serviceAccountName: hexarena"},
	} {
		bad := bytes.ReplaceAll([]byte(good), []byte(change[0]), []byte(change[1]))
		if err := judge(bad); err == nil {
			t.Errorf("fleet.yaml with %q passes", change[1])
		}
	}
}
