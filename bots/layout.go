package bots

import "bytes"

// layout is how a server writes its cells: the text around the colours, which
// stays the same all match long. Comparing it takes a fraction of the time that
// reading takes, and the cells are most of a state.
type layout struct {
	text []byte // what stands before each colour and after the last one, joined
	ends []int  // where in text each of these pieces ends; none while nothing is known
	from int    // while learning: where in the state the next piece starts
}

// restart begins to learn from the array that r stands at.
func (l *layout) restart(r *reader) {
	l.text, l.ends, l.from = l.text[:0], l.ends[:0], r.at
}

// add learns from the cell that r has just read.
func (l *layout) add(r *reader) {
	if r.colorAt < l.from {
		return // a cell without a colour
	}
	l.text = append(l.text, r.text[l.from:r.colorAt]...)
	l.ends = append(l.ends, len(l.text))
	l.from = r.colorEnd
}

// finish learns the end of the array, or forgets all if the array does not give
// the cells in the order of the board.
func (l *layout) finish(r *reader, inOrder bool) {
	if r.bad || !inOrder {
		l.ends = l.ends[:0]
		return
	}
	l.text = append(l.text, r.text[l.from:r.at]...)
	l.ends = append(l.ends, len(l.text))
}

// read reads the colours of an array that is written as expected. If it is not,
// it leaves r where it was.
func (l *layout) read(r *reader, colors []color) bool {
	if len(l.ends) != len(colors)+1 {
		return false
	}
	at, start := r.at, 0
	for i, end := range l.ends {
		piece := l.text[start:end]
		if !bytes.HasPrefix(r.text[at:], piece) {
			return false
		}
		at, start = at+len(piece), end
		if i == len(colors) {
			break
		}
		n, digits := color(0), at
		for at < len(r.text) && isDigit(r.text[at]) && at < digits+9 {
			n = n*10 + color(r.text[at]-'0')
			at++
		}
		if at == digits {
			return false
		}
		colors[i] = n
	}
	r.at = at
	return true
}
