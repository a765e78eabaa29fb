package bench

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// encoder writes histograms of Interval as text, in the compressed form V2 of HdrHistogram, as
// PackedHistogram.Encode does. That one makes a compressor of half a megabyte for each of them,
// which takes ten times as long.
type encoder struct {
	payload, packed bytes.Buffer
	zip             *zlib.Writer
}

// The first words of a histogram, and of a compressed one.
const cookie, packedCookie uint32 = 0x1c849313, 0x1c849314

// encode returns the text, which is good until the next call.
func (e *encoder) encode(h *hdrhistogram.PackedHistogram) (string, error) {
	e.payload.Reset()
	e.packed.Reset()
	if e.zip == nil {
		zip, err := zlib.NewWriterLevel(&e.packed, zlib.BestCompression)
		if err != nil {
			return "", err
		}
		e.zip = zip
	}
	e.counts(h)
	header := binary.BigEndian.AppendUint32(nil, cookie)
	header = binary.BigEndian.AppendUint32(header, uint32(e.payload.Len()))
	header = binary.BigEndian.AppendUint32(header, 0) // where the counts begin
	header = binary.BigEndian.AppendUint32(header, kindDigits)
	header = binary.BigEndian.AppendUint64(header, shortest)
	header = binary.BigEndian.AppendUint64(header, uint64(longest))
	header = binary.BigEndian.AppendUint64(header, math.Float64bits(1)) // a value for each unit
	e.packed.Write(make([]byte, 8))
	e.zip.Reset(&e.packed)
	if _, err := e.zip.Write(append(header, e.payload.Bytes()...)); err != nil {
		return "", err
	}
	if err := e.zip.Close(); err != nil {
		return "", err
	}
	all := e.packed.Bytes()
	binary.BigEndian.PutUint32(all, packedCookie)
	binary.BigEndian.PutUint32(all[4:], uint32(len(all)-8))
	return base64.StdEncoding.EncodeToString(all), nil
}

// counts writes how many samples each bucket has, up to the last that has any; of those that have
// none in a row it writes their number, negated.
func (e *encoder) counts(h *hdrhistogram.PackedHistogram) {
	next := 0
	h.ForEachBucket(func(value, count int64) bool {
		bucket := int(bucketOf(value))
		switch zeros := bucket - next; zeros {
		case 0:
		case 1:
			e.number(0)
		default:
			e.number(-int64(zeros))
		}
		e.number(count)
		next = bucket + 1
		return true
	})
	if next == 0 {
		e.number(0)
	}
}

// number writes a number in as many bytes as it takes, of seven bits each.
func (e *encoder) number(n int64) {
	e.payload.Write(binary.AppendVarint(e.payload.AvailableBuffer(), n))
}
