package deploy

import (
	"encoding/json"
	"strings"
	"testing"
)

// dashboard holds the keys of a dashboard that hexarena's uses.
type dashboard struct {
	Title, UID, Description, Refresh string
	Tags                             []string
	SchemaVersion, Version           int
	Editable                         bool
	Time                             struct{ From, To string }
	Templating                       struct{ List []map[string]any }
	Panels                           []struct {
		ID          int
		Type, Title string
		GridPos     struct{ X, Y, W, H int }
		Datasource  struct{ Type, UID string }
		FieldConfig map[string]any
		Targets     []struct{ RefID, Expr, LegendFormat string }
	}
}

// Every metric on the dashboard is in the reference of metrics, so that the dashboard
// queries only existing metrics.
func TestDashboardUsesDocumentedMetrics(t *testing.T) {
	decoder := json.NewDecoder(strings.NewReader(string(read(t, "deploy/grafana/hexarena.json"))))
	decoder.DisallowUnknownFields()
	var d dashboard
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		if p.GridPos.X+p.GridPos.W > 24 || len(p.Targets) == 0 && p.Type != "row" {
			t.Errorf("panel %q: %+v", p.Title, p.GridPos)
		}
		for _, target := range p.Targets {
			if err := documented(target.Expr); err != nil &&
				!strings.HasPrefix(target.Expr, "sum(process_") {
				t.Errorf("panel %q: %v", p.Title, err)
			}
		}
	}
}
