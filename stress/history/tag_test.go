package history_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

var (
	someTag = history.Tag{Run: 0x1a2b3c4d, Slot: 5, Client: 3, Step: 17}
	lastTag = history.Tag{Run: 1<<32 - 1, Slot: 1<<32 - 1, Client: 1<<32 - 1, Step: 1<<32 - 1}
)

func TestTagText(t *testing.T) {
	tests := []struct {
		name string
		tag  history.Tag
		size int
		want string
	}{
		{"nothing asked for", someTag, 0, "m1a2b3c4d.s5.c3.17.22:"},
		{"less than nothing", someTag, -5, "m1a2b3c4d.s5.c3.17.22:"},
		{"the head exactly", someTag, 22, "m1a2b3c4d.s5.c3.17.22:"},
		{"padded", someTag, 40, "m1a2b3c4d.s5.c3.17.40:" + padOf(someTag, 40)},
		{"zero", history.Tag{}, 0, "m00000000.s0.c0.0.21:"},
		{"last", lastTag, 9, "mffffffff.s4294967295.c4294967295.4294967295.48:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := string(tt.tag.Append(nil, tt.size))
			require.Equal(t, tt.want, text)
			require.Len(t, text, max(tt.size, strings.Index(text, ":")+1))
			got, ok := history.ParseTag(text)
			require.True(t, ok)
			require.Equal(t, tt.tag, got)
		})
	}
}

// padOf is the slow way to the padding: the end of a text that is one byte longer each time
// must start with the end of the one before, but for the size in the head.
func padOf(tag history.Tag, size int) string {
	long := string(tag.Append(nil, size+50))
	_, pad, _ := strings.Cut(long, ":")
	return pad[:size-22]
}

func TestTagAppends(t *testing.T) {
	require.Equal(t, "before m1a2b3c4d.s5.c3.17.22:",
		string(someTag.Append([]byte("before "), 0)))
}

// TestTagSizes covers each length of padding and each number of digits in the size.
func TestTagSizes(t *testing.T) {
	for size := range 1200 {
		text := string(someTag.Append(nil, size))
		require.Len(t, text, max(size, 22))
		got, ok := history.ParseTag(text)
		require.True(t, ok, text)
		require.Equal(t, someTag, got)
	}
}

// TestDamageIsNoTag changes, removes and adds each byte of a text in turn.
func TestDamageIsNoTag(t *testing.T) {
	text := string(someTag.Append(nil, 75))
	accepted := func(damaged string) bool {
		_, ok := history.ParseTag(damaged)
		return ok
	}
	require.True(t, accepted(text))
	require.False(t, accepted(""))
	for i := range len(text) {
		for _, b := range []byte{0, ' ', '0', '7', 'a', 'z', 0x80, 0xff, text[i] ^ 1} {
			changed := text[:i] + string([]byte{b}) + text[i+1:]
			require.False(t, changed != text && accepted(changed), changed)
			require.False(t, accepted(text[:i]+string([]byte{b})+text[i:]), "added at %d", i)
		}
		require.False(t, accepted(text[:i]), "cut to %d", i)
		require.False(t, accepted(text[:i]+text[i+1:]), "without byte %d", i)
	}
	require.False(t, accepted(text+"a"))
	require.False(t, accepted(text+text))
}

func TestOtherSpellingsAreNoTag(t *testing.T) {
	tests := []struct{ name, text string }{
		{"needless zero", "m1a2b3c4d.s05.c3.17.23:"},
		{"upper case", "m1A2B3C4D.s5.c3.17.22:"},
		{"a step too high", "m1a2b3c4d.s5.c3.4294967296.30:"},
		{"sign", "m1a2b3c4d.s5.c3.+17.23:"},
		{"a size of too many digits", "m1a2b3c4d.s5.c3.17.99999999999999999999:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ok := history.ParseTag(tt.text)
			require.False(t, ok)
		})
	}
}

func TestTagDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 256)
	text := string(someTag.Append(nil, 200))
	require.Zero(t, testing.AllocsPerRun(100, func() { buf = someTag.Append(buf[:0], 200) }))
	require.Zero(t, testing.AllocsPerRun(100, func() { history.ParseTag(text) }))
}

func FuzzTag(f *testing.F) {
	f.Add(string(someTag.Append(nil, 0)))
	f.Add(string(lastTag.Append(nil, 64)))
	f.Add("m00000000.s0.c0.0.21:")
	f.Add("m")
	f.Fuzz(func(t *testing.T, text string) {
		tag, ok := history.ParseTag(text)
		if !ok {
			return
		}
		if again := string(tag.Append(nil, len(text))); again != text {
			t.Errorf("%q is a tag whose text is %q", text, again)
		}
	})
}

func BenchmarkTagAppend(b *testing.B) {
	buf := make([]byte, 0, 64)
	for b.Loop() {
		buf = someTag.Append(buf[:0], 64)
	}
}

func BenchmarkTagParse(b *testing.B) {
	text := string(someTag.Append(nil, 64))
	for b.Loop() {
		history.ParseTag(text)
	}
}
