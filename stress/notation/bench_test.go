package notation_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/notation"
)

func BenchmarkRead(b *testing.B) {
	var edn, log strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&edn, "{:index %d, :process %d, :type :invoke, :f :write, :value %d, "+
			":session \"s1\", :key \"k%d\", :time %d}\n", 2*i, i%8, i, i%64, 2*i)
		fmt.Fprintf(&edn, "{:index %d, :process %d, :type :ok, :f :write, :value %d, "+
			":session \"s1\", :key \"k%d\", :time %d}\n", 2*i+1, i%8, i, i%64, 2*i+1)
		fmt.Fprintf(&log, "INFO  jepsen.util - %d\t:invoke\t:cas\t[%d %d]\n", i%8, i, i+1)
		fmt.Fprintf(&log, "INFO  jepsen.util - %d\t:fail\t:cas\t[%d %d]\n", i%8, i, i+1)
	}
	for name, text := range map[string]string{"edn": edn.String(), "log": log.String()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := notation.Read(bytes.NewReader([]byte(text)), "file", notation.Auto)
				require.NoError(b, err)
			}
		})
	}
}
