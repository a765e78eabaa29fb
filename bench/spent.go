package bench

import (
	"runtime/metrics"
	"time"
)

// spent is what the process has used so far.
type spent struct {
	cpu            time.Duration // 0 where the system does not say
	objects, bytes uint64        // allocated by Go
}

func spentSoFar() spent {
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"},
	}
	metrics.Read(samples)
	return spent{cpu: processorTime(), objects: samples[0].Value.Uint64(),
		bytes: samples[1].Value.Uint64()}
}

func (s spent) since(before spent) spent {
	return spent{s.cpu - before.cpu, s.objects - before.objects, s.bytes - before.bytes}
}
