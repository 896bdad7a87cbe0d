package main

import (
	"fmt"
	"math"
)

// score is the result of the games so far.
type score struct {
	won, drawn, lost int
	pairs            []float64 // the score of each opening, from 0 to 1
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

// interval returns the 95 % interval of the score. Its samples are the openings, not the
// games, because two games from one opening are not independent; that is why engines are
// tested in pairs (the pentanomial model of Fishtest). The interval is Wilson's (1927)
// with the variance of the pairs instead of the binomial one, so that it remains useful
// if all pairs are equal.
func (s *score) interval() (low, high float64) {
	n, m := float64(len(s.pairs)), s.mean()
	variance := 0.0
	for _, p := range s.pairs {
		variance += (p - m) * (p - m) / (n - 1)
	}
	ratio := 1.0 // of the variance to that of a win-or-loss sample
	if m > 0 && m < 1 {
		ratio = variance / (m * (1 - m))
	}
	n /= max(ratio, 0.5) // 0.5 is that of two independent games
	center := (m + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(m*(1-m)/n+z*z/(4*n*n))
	return max(0, center-half), min(1, center+half)
}

func (s *score) String() string {
	return fmt.Sprintf("won %d, drawn %d, lost %d, score %.3f", s.won, s.drawn, s.lost, s.mean())
}
