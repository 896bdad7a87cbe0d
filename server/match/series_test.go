package match_test

import (
	"testing"

	"github.com/hexarena/hexarena/server/match"
)

// Labels say which match of which series it is; matches of different tables or rounds have
// different seeds.
func TestSeriesOf(t *testing.T) {
	event := func(round, table string) map[string]string {
		return map[string]string{"series": "event", "round": round, "table": table}
	}
	for _, tt := range []struct {
		labels map[string]string
		want   match.Series
	}{
		{nil, match.Series{Number: 1}},
		{map[string]string{"series": "cup", "match": "3"}, match.Series{Name: "cup", Number: 3}},
		{map[string]string{"series": "cup", "match": "0"}, match.Series{Name: "cup", Number: 1}},
		{event("12", "4"), match.Series{Name: "event 12 4", Number: 12}},
		{event("final", "1"), match.Series{Name: "event final 1", Number: 1}},
	} {
		if got := match.SeriesOf(tt.labels); got != tt.want {
			t.Errorf("%v is %+v, want %+v", tt.labels, got, tt.want)
		}
	}
	if match.SeriesOf(event("1", "1")).Seed(0) == match.SeriesOf(event("1", "2")).Seed(0) {
		t.Error("players at two tables have the same seed")
	}
}
