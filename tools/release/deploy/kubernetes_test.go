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
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
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
	"v1 PersistentVolumeClaim": func() (any,
		func() *core.PodSpec,
	) {
		return &core.PersistentVolumeClaim{}, nil
	},
	"apps/v1 StatefulSet": func() (any, func() *core.PodSpec) {
		s := &apps.StatefulSet{}
		return s, func() *core.PodSpec { return &s.Spec.Template.Spec }
	},
	"batch/v1 Job": func() (any, func() *core.PodSpec) {
		j := &batch.Job{}
		return j, func() *core.PodSpec { return &j.Spec.Template.Spec }
	},
	"policy/v1 PodDisruptionBudget": func() (any, func() *core.PodSpec) { return &policy.PodDisruptionBudget{}, nil },
	"keda.sh/v1alpha1 ScaledObject": func() (any, func() *core.PodSpec) { return &scaledObject{}, nil },
}

func TestManifestsFitTheirSchemas(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "deploy", "kubernetes", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("manifests: %v, %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if err := judgeAll(read(t, "deploy/kubernetes/"+name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// judgeAll returns what is wrong with the manifests in a file.
func judgeAll(text []byte) error {
	docs := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	buf := make([]byte, 1<<20)
	for {
		n, err := docs.Read(buf)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = judge(buf[:n])
		}
		if err != nil {
			return err
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
	case *apps.StatefulSet:
		if err := judgeCluster(o); err != nil {
			return err
		}
	case *scaledObject:
		if err := o.judge(); err != nil {
			return err
		}
	case *network.NetworkPolicy:
		if err := judgePolicy(o); err != nil {
			return err
		}
	}
	if pod == nil {
		return nil
	}
	// Agones' sidecar needs the token of its service account.
	if mount := pod().AutomountServiceAccountToken; kind.Kind != "Fleet" && (mount == nil || *mount) {
		return errors.New("the pod gets a token of the cluster")
	}
	return judgePod(pod())
}

// judgePolicy checks that only the node can reach the probes, and only named pods the ports of
// NATS. Network policies do not apply to connections of the node.
func judgePolicy(p *network.NetworkPolicy) error {
	if !slices.Contains(p.Spec.PolicyTypes, network.PolicyTypeIngress) {
		return errors.New("everything comes in")
	}
	for _, rule := range p.Spec.Ingress {
		if len(rule.Ports) == 0 {
			return errors.New("every port is open")
		}
		for _, port := range rule.Ports {
			if port.Port == nil || !slices.Contains([]string{"bots", "page"}, port.Port.StrVal) &&
				(len(rule.From) == 0 || port.Port.StrVal == "probes") {
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
		if p.PortPolicy != "Dynamic" || p.Protocol != "TCP" || p.ContainerPort < 1 ||
			p.ContainerPort > 65535 {
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
	if p.SecurityContext == nil || p.SecurityContext.RunAsNonRoot == nil ||
		!*p.SecurityContext.RunAsNonRoot {
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

// judgeProbes checks that all probes of a container use the address of --health, or that of NATS
// for probes.
func judgeProbes(c *core.Container) error {
	if c.ReadinessProbe == nil {
		return errors.New("no readinessProbe")
	}
	for _, probe := range []*core.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
		if probe == nil {
			continue
		}
		name := probe.HTTPGet.Port.StrVal
		at := slices.IndexFunc(c.Ports, func(p core.ContainerPort) bool { return p.Name == name })
		if at < 0 || !slices.ContainsFunc(c.Args, func(arg string) bool {
			return arg == fmt.Sprintf("--health=:%d", c.Ports[at].ContainerPort) ||
				arg == fmt.Sprintf("--http_port=%d", c.Ports[at].ContainerPort)
		}) {
			return fmt.Errorf("a probe uses port %q, which is not that of --health", name)
		}
	}
	return nil
}

// A wrong key is an error, because the schemas are strict.
func TestJudgeFindsMistakes(t *testing.T) {
	findsMistakes(t, "fleet.yaml", [][2]string{
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
		{"enableServiceLinks: false", "enableServiceLinks: false\n          serviceAccountName: " +
			"hexarena"},
	})
	findsMistakes(t, "nats.yaml", [][2]string{
		{"replicas: 3", "replicas: 2"},
		{"podAntiAffinity", "podAffinity"},
		{"kubernetes.io/hostname", "topology.kubernetes.io/zones"},
		{"storage: 5Gi", "storage: 4G"},
		{"maxUnavailable: 1", "maxUnavaliable: 1"},
		{"port: client, protocol: TCP}", "port: probes, protocol: TCP}"},
		{"automountServiceAccountToken: false", "automountServiceAccountToken: true"},
	})
	findsMistakes(t, "cup.yaml", [][2]string{
		{"threshold: \"512\"", "treshold: \"512\""},
		{"hexarena_cup_matches", "hexarena_queue"},
		{"minReplicaCount: 1", "minReplicaCount: 0"},
		{"minReplicaCount: 1", "minReplicas: 1"},
		{"restartPolicy: Never", "restartPolicies: Never"},
		{"policyTypes: [Ingress, Egress]", "policyTypes: [Egress]"},
	})
}

// findsMistakes checks that a manifest fits, and does not with any of some changes.
func findsMistakes(t *testing.T, name string, changes [][2]string) {
	t.Helper()
	good := read(t, "deploy/kubernetes/"+name)
	if err := judgeAll(good); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for _, change := range changes {
		if bad := bytes.ReplaceAll(good, []byte(change[0]), []byte(change[1])); judgeAll(bad) == nil {
			t.Errorf("%s with %q passes", name, change[1])
		}
	}
}
