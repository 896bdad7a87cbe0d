package deploy

import (
	"strings"
	"testing"

	strict "sigs.k8s.io/yaml"
)

// Every metric of the alert rules is listed in the operator's guide, and a recording that fails
// raises an alert.
func TestAlertsUseDocumentedMetrics(t *testing.T) {
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For string
				Annotations      map[string]string
			}
		}
	}
	if err := strict.UnmarshalStrict(read(t, "deploy/prometheus/hexarena.yaml"), &rules); err != nil {
		t.Fatal(err)
	}
	used := ""
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			used += r.Expr + "\n"
			if r.Alert == "" || r.Expr == "" || r.Annotations["summary"] == "" {
				t.Errorf("incomplete rule %+v", r)
			}
		}
	}
	if err := documented(used); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"hexarena_recording_failures_total", `hexarena_recordings_total{outcome="failed"}`,
	} {
		if !strings.Contains(used, want) {
			t.Errorf("no rule uses %s", want)
		}
	}
}
