package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The golden values are those of openskill.js, src/models/__tests__/plackett-luce.test.ts: a
// match between new bots that finish in order.
func TestSkill(t *testing.T) {
	for _, tt := range []struct {
		want      []Skill
		tolerance float64 // of mu; sigma's is always 1e-9
	}{
		{[]Skill{{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}}, 1e-9},
		{[]Skill{
			{27.868876552746237, 8.204837030780652},
			{25.717219138186557, 8.057829747583874},
			{21.413904309067206, 8.057829747583874},
		}, 1e-9},
		{[]Skill{
			{27.795084971874736, 8.263160757613477},
			{26.552824984374855, 8.179213704945203},
			{24.68943500312503, 8.083731307186588},
			{20.96265504062538, 8.083731307186588},
		}, 1e-9},
		{[]Skill{
			{27.6667, 8.290556877154474},
			{26.8333, 8.240145629781066},
			{25.7222, 8.179996679645559},
			{24.0556, 8.111796013701358},
			{20.7222, 8.111796013701358},
		}, 0.00005},
	} {
		skills, ranks := make([]Skill, len(tt.want)), make([]int, len(tt.want))
		for i := range skills {
			skills[i], ranks[i] = NewSkill(), i+1
		}
		compareSkills(t, Update(skills, ranks), tt.want, tt.tolerance)
	}
}

// Three matches with ties, from openskill.js, src/models/__tests__/plackett-luce-series.test.ts.
func TestSkillWithTies(t *testing.T) {
	skills := make([]Skill, 5)
	for i := range skills {
		skills[i] = NewSkill()
	}
	for _, match := range []struct{ bots, ranks []int }{
		{[]int{0, 1, 2, 3, 4}, []int{1, 2, 2, 4, 4}},
		{[]int{4, 2, 1}, []int{1, 2, 2}},
		{[]int{3, 1, 2, 0}, []int{1, 1, 3, 3}},
	} {
		before := make([]Skill, len(match.bots))
		for i, bot := range match.bots {
			before[i] = skills[bot]
		}
		for i, after := range Update(before, match.ranks) {
			skills[match.bots[i]] = after
		}
	}
	compareSkills(t, skills, []Skill{
		{26.353761103, 8.11102706},
		{24.618479789, 7.90533551},
		{23.065819512, 7.822005595},
		{24.476332403, 8.106111471},
		{26.385499685, 8.054090809},
	}, 1e-9)
}

func compareSkills(t *testing.T, got, want []Skill, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i].Mu-want[i].Mu) <= tolerance) ||
			!(math.Abs(got[i].Sigma-want[i].Sigma) <= 1e-9) {
			t.Errorf("of %d bots, %d has %v, want %v", len(want), i, got[i], want[i])
		}
	}
}

// Skills stay finite, and sigma positive, over many matches with the same winner.
func TestSkillIsFinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	skills := []Skill{NewSkill(), NewSkill(), NewSkill()}
	for range 100_000 {
		skills = Update(skills, []int{1, 2, 2 + rng.IntN(2)})
	}
	for _, s := range skills {
		if math.IsNaN(s.Mu) || math.Abs(s.Mu) > 1000 || !(s.Sigma > 0) {
			t.Errorf("after many matches, a skill is %v", s)
		}
	}
}
