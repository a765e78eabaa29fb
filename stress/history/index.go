package history

import "hash/maphash"

// index gives numbers to keys other than 0. It is an open hash table whose cells lie so that
// eight keys in a row share two cache lines: the values that one client writes one after the
// other are mostly looked up one after the other. It grows with the number of keys alone, so
// no key, however large, costs more than another.
type index struct {
	cells []indexCell
	used  int
	seed  uint64
}

type indexCell struct {
	key uint64
	id  uint32
}

const (
	indexGroup = 8
	indexStart = 64
	// indexStep is how far the next cell is to try. It is odd, so that every cell is tried, and
	// more than a group, so that the keys of one group do not push each other aside.
	indexStep = indexGroup + 1
)

// newIndex returns an index with room for n keys before it grows.
func newIndex(n int) *index {
	size := indexStart
	for size < 2*n {
		size *= 2
	}
	// The seed keeps a hostile file from choosing keys that all fall on one cell.
	seed := maphash.Comparable(maphash.MakeSeed(), 0)
	return &index{cells: make([]indexCell, size), seed: seed}
}

// number returns the number of key, which is next if key is new.
func (x *index) number(key uint64, next uint32) uint32 {
	cell := x.find(key)
	if cell.key == key {
		return cell.id
	}
	*cell = indexCell{key, next}
	if x.used++; 2*x.used > len(x.cells) {
		x.double()
	}
	return next
}

// find returns the cell of key, or the empty one where it belongs.
func (x *index) find(key uint64) *indexCell {
	mask := uint64(len(x.cells) - 1)
	at := mix(key/indexGroup^x.seed)*indexGroup + key%indexGroup
	for {
		cell := &x.cells[at&mask]
		if cell.key == key || cell.key == 0 {
			return cell
		}
		at += indexStep
	}
}

func (x *index) double() {
	old := x.cells
	x.cells = make([]indexCell, 2*len(old))
	for _, cell := range old {
		if cell.key != 0 {
			*x.find(cell.key) = cell
		}
	}
}
