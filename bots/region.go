package bots

// region is the set of cells that prey can reach without crossing a bomb or a special character.
type region struct {
	inside []bool
	queue  []cell
}

// measure counts the cells of the region around from, including from. Character i is not
// an obstacle, but the cell extra is one.
func (r *region) measure(b *board, from cell, i int, extra cell) int {
	r.inside = unset(r.inside, len(b.coords))
	r.inside[from] = true
	r.queue = append(r.queue[:0], from)
	for head := 0; head < len(r.queue); head++ {
		for _, n := range b.next[r.queue[head]] {
			if n == none || n == extra || r.inside[n] || b.lying[n] >= 0 {
				continue
			}
			if who := b.living[n]; who >= 0 && int(who) != i && b.immune(b.characters[who].color) {
				continue
			}
			r.inside[n] = true
			r.queue = append(r.queue, n)
		}
	}
	return len(r.queue)
}

// touches reports whether c is in the region or next to it.
func (r *region) touches(b *board, c cell) bool {
	if r.inside[c] {
		return true
	}
	for _, n := range b.next[c] {
		if n != none && r.inside[n] {
			return true
		}
	}
	return false
}
