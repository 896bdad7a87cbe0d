package main

import (
	"fmt"
	"math"
)

// score is what came of the games so far.
type score struct {
	won, drawn, lost int
	pairs            []float64 // what each opening scored, from 0 to 1
}

func (s *score) add(pair [2]float64) {
	for _, points := range pair {
		switch points {
		case 1:
			s.won++
		case 0:
			s.lost++
		default:
			s.drawn++
		}
	}
	s.pairs = append(s.pairs, (pair[0]+pair[1])/2)
}

// mean returns the score per game.
func (s *score) mean() float64 {
	sum := 0.0
	for _, p := range s.pairs {
		sum += p
	}
	return sum / float64(len(s.pairs))
}

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959964

// interval returns the 95 % interval of the score. The trials are the openings, not the
// games: two games from one opening depend on each other, which is why engines are
// tested in pairs (the pentanomial model of Fishtest). For a mean of bounded trials it
// is Wilson's interval (1927) with the variance that the pairs have instead of the
// binomial one, so that it stays sensible when all pairs are equal.
func (s *score) interval() (low, high float64) {
	n, m := float64(len(s.pairs)), s.mean()
	variance := 0.0
	for _, p := range s.pairs {
		variance += (p - m) * (p - m) / (n - 1)
	}
	ratio := 1.0 // of the variance to that of a trial that is won or lost
	if m > 0 && m < 1 {
		ratio = variance / (m * (1 - m))
	}
	n /= max(ratio, 0.5) // that of two games that do not depend on each other
	center := (m + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(m*(1-m)/n+z*z/(4*n*n))
	return max(0, center-half), min(1, center+half)
}

func (s *score) String() string {
	return fmt.Sprintf("won %d, drawn %d, lost %d, score %.3f", s.won, s.drawn, s.lost, s.mean())
}
