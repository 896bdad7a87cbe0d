package deploy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// fleet is what may stand in an agones.dev/v1 Fleet, as the reference of
// Agones' resources says.
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

// kinds are the types that manifests are read into, unknown keys forbidden.
var kinds = map[string]func() (object any, pod func() *core.PodSpec){
	"apps/v1 Deployment": func() (any, func() *core.PodSpec) {
		d := &apps.Deployment{}
		return d, func() *core.PodSpec { return &d.Spec.Template.Spec }
	},
	"agones.dev/v1 Fleet": func() (any, func() *core.PodSpec) {
		f := &fleet{}
		return f, func() *core.PodSpec { return &f.Spec.Template.Spec.Template.Spec }
	},
	"v1 Service":               func() (any, func() *core.PodSpec) { return &core.Service{}, nil },
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
	if f, ok := object.(*fleet); ok {
		if err := judgeFleet(f); err != nil {
			return err
		}
	}
	if pod == nil {
		return nil
	}
	return judgePod(pod())
}

func judgeFleet(f *fleet) error {
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

// judgePod holds a pod to what docs/operator.md promises: no variables of
// other services, no rights, nothing to write to but the recordings.
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
	}
	return nil
}

// A wrong key is found: the schemas are strict.
func TestJudgeFindsMistakes(t *testing.T) {
	good := string(read(t, "deploy/kubernetes/fleet.yaml"))
	for _, change := range [][2]string{
		{"enableServiceLinks: false", "enableServiceLinks: true"},
		{"enableServiceLinks: false", "enableServiceLink: false"},
		{"portPolicy: Dynamic", "portPolicy: Dynamo"},
		{"scheduling: Packed", "scheduled: Packed"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"},
	} {
		bad := bytes.ReplaceAll([]byte(good), []byte(change[0]), []byte(change[1]))
		if err := judge(bad); err == nil {
			t.Errorf("fleet.yaml with %q passes", change[1])
		}
	}
}
