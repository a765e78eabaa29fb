package bench

import (
	"runtime/metrics"
	"time"

	"memrace/store/disk"
)

// spent is what the process has used so far.
type spent struct {
	cpu            time.Duration // 0 where the system does not say
	objects, bytes uint64        // allocated by Go
	// What SQLite did to files, see Turn.
	fsyncs, written, commits int64
}

func spentSoFar() spent {
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"},
	}
	metrics.Read(samples)
	files := disk.Counts()
	return spent{cpu: processorTime(), objects: samples[0].Value.Uint64(),
		bytes: samples[1].Value.Uint64(), fsyncs: files.Syncs(), written: files.Bytes(),
		commits: files.Commits}
}

func (s spent) since(before spent) spent {
	return spent{s.cpu - before.cpu, s.objects - before.objects, s.bytes - before.bytes,
		s.fsyncs - before.fsyncs, s.written - before.written, s.commits - before.commits}
}
