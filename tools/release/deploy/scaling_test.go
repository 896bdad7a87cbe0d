package deploy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scaledObject holds the keys of a keda.sh/v1alpha1 ScaledObject that hexarena's uses, after the
// reference of KEDA 2.22 (https://keda.sh/docs/2.22/reference/scaledobject-spec).
type scaledObject struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		ScaleTargetRef struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Name       string `json:"name"`
		} `json:"scaleTargetRef"`
		PollingInterval int32 `json:"pollingInterval"` // seconds
		MinReplicaCount int32 `json:"minReplicaCount"`
		MaxReplicaCount int32 `json:"maxReplicaCount"`
		Advanced        struct {
			HorizontalPodAutoscalerConfig struct {
				Behavior autoscaling.HorizontalPodAutoscalerBehavior `json:"behavior"`
			} `json:"horizontalPodAutoscalerConfig"`
		} `json:"advanced"`
		Triggers []struct {
			Type     string            `json:"type"`
			Metadata map[string]string `json:"metadata"`
		} `json:"triggers"`
	} `json:"spec"`
}

// prometheusKeys are the keys of a trigger that asks Prometheus which hexarena's may use.
var prometheusKeys = map[string]bool{
	"serverAddress": true, "query": true, "threshold": true, "activationThreshold": true,
}

// judge checks that the workers follow a metric that there is, and that one of them is always
// there.
func (o *scaledObject) judge() error {
	if o.Spec.ScaleTargetRef.Name == "" || o.Spec.MinReplicaCount < 1 ||
		o.Spec.MaxReplicaCount < o.Spec.MinReplicaCount || len(o.Spec.Triggers) != 1 {
		return fmt.Errorf("spec: %+v", o.Spec)
	}
	t := o.Spec.Triggers[0]
	for key := range t.Metadata {
		if !prometheusKeys[key] {
			return fmt.Errorf("the trigger has %q", key)
		}
	}
	if n, err := strconv.ParseFloat(t.Metadata["threshold"], 64); err != nil || n <= 0 ||
		t.Type != "prometheus" || t.Metadata["serverAddress"] == "" {
		return fmt.Errorf("trigger: %+v", t)
	}
	return documented(t.Metadata["query"])
}

// documented returns an error if a query has no metric of hexarena, or one that the reference of
// metrics does not list.
func documented(query string) error {
	guide, err := os.ReadFile(filepath.Join(root, "docs", "reference", "metrics.md"))
	if err != nil {
		return err
	}
	names := regexp.MustCompile(`hexarena_([a-z_]+)`).FindAllStringSubmatch(query, -1)
	if names == nil {
		return fmt.Errorf("%q has no metric", query)
	}
	for _, m := range names {
		if !strings.Contains(string(guide), "`"+strings.TrimSuffix(m[1], "_bucket")+"`") {
			return fmt.Errorf("%q has hexarena_%s, which docs/reference/metrics.md does not list",
				query, m[1])
		}
	}
	return nil
}

// judgeCluster checks that three servers are on three nodes, on volumes that have space for what
// they may keep.
func judgeCluster(s *apps.StatefulSet) error {
	if s.Spec.Replicas == nil || *s.Spec.Replicas != 3 {
		return errors.New("there are not three servers")
	}
	a := s.Spec.Template.Spec.Affinity
	if a == nil || a.PodAntiAffinity == nil ||
		len(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) != 1 ||
		a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].TopologyKey != core.LabelHostname {
		return errors.New("two servers may be on one node")
	}
	conf, err := os.ReadFile(filepath.Join(root, "deploy", "nats.conf"))
	if err != nil {
		return err
	}
	m := regexp.MustCompile(`max_file_store: (\d+)GB`).FindSubmatch(conf)
	if m == nil || len(s.Spec.VolumeClaimTemplates) != 1 {
		return errors.New("there is no volume, or nats.conf has no max_file_store")
	}
	most := resource.MustParse(string(m[1]) + "Gi")
	if size := s.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests[core.ResourceStorage]; size.Cmp(most) <= 0 {
		return fmt.Errorf("a volume has %v, and max_file_store is %v", size.String(), most.String())
	}
	return nil
}
