package history

import (
	"encoding/binary"
	"strconv"
)

// Tag is what a client writes: a value that names its run, slot, client and step, so that a
// read of it names the write it saw, and so that a value found in the wrong place, or damaged,
// is seen for what it is.
type Tag struct {
	// Run tells the values of this run from those that an earlier run left behind.
	Run uint32
	// Slot is the number that the workload has for the slot that the value was written to. It is
	// not the slot's number in a History.
	Slot   uint32
	Client Client
	// Step is the number of the operation among those of its client, from 0.
	Step uint32
}

// Append appends the tag as a text of size bytes: a head such as "m0000002a.s5.c3.17.100:"
// (run in hex, slot, client, step, size), and padding that follows from the tag.
// If size is less than the head needs, the text is the head alone and states its own length.
func (t Tag) Append(dst []byte, size int) []byte {
	start := len(dst)
	dst = appendHex32(append(dst, 'm'), t.Run)
	dst = strconv.AppendUint(append(dst, ".s"...), uint64(t.Slot), 10)
	dst = strconv.AppendUint(append(dst, ".c"...), uint64(t.Client), 10)
	dst = strconv.AppendUint(append(dst, '.'), uint64(t.Step), 10)
	// The shortest head has more than 9 bytes and the longest fewer than 100, so a size that is
	// too small always grows to one of two digits.
	size = max(size, len(dst)-start+len(".99:"))
	dst = strconv.AppendInt(append(dst, '.'), int64(size), 10)
	return t.pad(append(dst, ':'), size-(len(dst)+1-start))
}

func (t Tag) pad(dst []byte, n int) []byte {
	p := newPadding(t)
	for ; n >= 8; n -= 8 {
		dst = binary.LittleEndian.AppendUint64(dst, p.next())
	}
	if n <= 0 {
		return dst
	}
	for w := p.next(); n > 0; n-- {
		dst = append(dst, byte(w))
		w >>= 8
	}
	return dst
}

// ParseTag returns the tag whose text is text. It reports true only if text is, byte for byte,
// what Append makes of that tag: a value that was cut short, extended or damaged is no tag.
func ParseTag(text string) (Tag, bool) {
	const runEnd = len("m00000000")
	if len(text) <= runEnd || text[0] != 'm' {
		return Tag{}, false
	}
	run, ok := parseHex32(text[1:runEnd])
	slot, at := numberAfter(text, runEnd, ".s", 1<<32-1)
	client, at := numberAfter(text, at, ".c", 1<<32-1)
	step, at := numberAfter(text, at, ".", 1<<32-1)
	size, at := numberAfter(text, at, ".", 1<<62)
	if !ok || at < 0 || at == len(text) || text[at] != ':' || size != uint64(len(text)) {
		return Tag{}, false
	}
	t := Tag{Run: run, Slot: uint32(slot), Client: Client(client), Step: uint32(step)}
	return t, t.isPadding(text[at+1:])
}

func (t Tag) isPadding(text string) bool {
	p := newPadding(t)
	for ; len(text) >= 8; text = text[8:] {
		if littleEndian(text) != p.next() {
			return false
		}
	}
	w := p.next()
	for i := range len(text) {
		if text[i] != byte(w>>(8*i)) {
			return false
		}
	}
	return true
}

// padding makes letters from a to p, eight at a time, by the generator SplitMix64.
// (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.)
type padding struct{ state uint64 }

func newPadding(t Tag) padding {
	return padding{mix(uint64(t.Run)<<32|uint64(t.Slot)) + uint64(t.Client)<<32 + uint64(t.Step)}
}

func (p *padding) next() uint64 {
	p.state += 0x9e3779b97f4a7c15
	return mix(p.state)&0x0f0f0f0f0f0f0f0f + 0x6161616161616161
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func littleEndian(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// numberAfter reads prefix and a number from text[at:] and returns the index behind them,
// or -1 if they are not there. An at of -1 gives -1.
func numberAfter(text string, at int, prefix string, limit uint64) (n uint64, end int) {
	if at < 0 || len(text)-at < len(prefix) || text[at:at+len(prefix)] != prefix {
		return 0, -1
	}
	return number(text, at+len(prefix), limit)
}

const hexDigits = "0123456789abcdef"

func appendHex32(dst []byte, x uint32) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[x>>shift&15])
	}
	return dst
}

func parseHex32(text string) (x uint32, ok bool) {
	for i := range len(text) {
		switch c := text[i]; {
		case c-'0' <= 9:
			x = x<<4 | uint32(c-'0')
		case c-'a' <= 5:
			x = x<<4 | uint32(c-'a'+10)
		default:
			return 0, false
		}
	}
	return x, true
}
