package sprt

import (
	"math"

	"github.com/hexarena/hexarena/server/contest/exact"
	"github.com/hexarena/hexarena/server/contest/rating"
)

// Matches returns about how many matches a test takes on average: if one of the hypotheses is true, and
// if the truth is halfway between them, where it takes longest. These are Wald's means ("Sequential
// Analysis", 1947, section 3.5) of a test with normal results: the ratio then drifts by half the square
// of the distance of the hypotheses, in deviations of a match. They take matches for independent;
// blocks save some.
func (h Hypotheses) Matches() (usual, most int) {
	distance := (h.NElo1 - h.NElo0) / rating.PerDeviation
	square := float64(distance * distance)
	down, up := exact.Log(h.Beta/(1-h.Alpha)), exact.Log((1-h.Beta)/h.Alpha)
	if0 := -(float64((1-h.Alpha)*down) + float64(h.Alpha*up))
	if1 := float64(h.Beta*down) + float64((1-h.Beta)*up)
	return int(math.Ceil(2 * max(if0, if1) / square)), int(math.Ceil(-down * up / square))
}
