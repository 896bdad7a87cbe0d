package bots

import "bytes"

// layout holds the text between the colours of a state's cells, which stays the same
// during a match. Comparing that text is much faster than parsing it, and the cells are
// most of a state.
type layout struct {
	text []byte // the text before each colour and after the last one, joined
	ends []int  // the end of each of these pieces in text; empty while the layout is unknown
	from int    // while learning: start of the next piece in the state
}

// restart starts to learn from the array at r.
func (l *layout) restart(r *reader) {
	l.text, l.ends, l.from = l.text[:0], l.ends[:0], r.at
}

// add learns from the cell that r has just parsed.
func (l *layout) add(r *reader) {
	if r.colorAt < l.from {
		return // a cell without a colour
	}
	l.text = append(l.text, r.text[l.from:r.colorAt]...)
	l.ends = append(l.ends, len(l.text))
	l.from = r.colorEnd
}

// finish learns the end of the array, or discards everything if the cells are not in the
// order of the board.
func (l *layout) finish(r *reader, inOrder bool) {
	if r.bad || !inOrder {
		l.ends = l.ends[:0]
		return
	}
	l.text = append(l.text, r.text[l.from:r.at]...)
	l.ends = append(l.ends, len(l.text))
}

// read reads the colours of an array with the known layout. If the layout differs, it
// returns false and does not move r.
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
