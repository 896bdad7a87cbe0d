package site

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
)

// The size of a curve in its own units: the page scales it.
const (
	curveWidth  = 240
	curveHeight = 60
)

// markCurve returns the rating of a team after each of its last matches as a curve, "" for fewer
// than two.
func markCurve(points []float64) markup {
	if len(points) < 2 {
		return ""
	}
	low, high := slices.Min(points), slices.Max(points)
	span := max(high-low, 1) // a curve of nearly equal ratings is flat
	var line strings.Builder
	for i, p := range points {
		fmt.Fprintf(&line, "%.1f,%.1f ", float64(i)*curveWidth/float64(len(points)-1),
			curveHeight*(1-(p-low)/span))
	}
	text := line.String()
	from, to, now := decimal(low), decimal(high), decimal(points[len(points)-1])
	return mark(`<figure><svg viewBox="0 -4 %s %s" preserveAspectRatio="none" role="img" aria-label="The rating after each match: from %s to %s, now %s"><polygon points="0,%s %s%s,%s"/><polyline points="%s"/></svg><figcaption>Rating after each match, from %s to %s</figcaption></figure>`,
		curveWidth, curveHeight+8, from, to, now, curveHeight, text, curveWidth, curveHeight, text,
		from, to)
}

// decimal returns a number with one digit after the point, and a true minus.
func decimal(x float64) string {
	x = math.Round(10*x)/10 + 0 // no zero is negative
	return textutil.Minus(fmt.Sprintf("%.1f", x))
}
