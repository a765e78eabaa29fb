package check

// clear does all that is due before the end of a zone and so has to come before its start.
func (s *sweep) clear(zone *cluster) fault {
	for s.deletes.due() < zone.s {
		s.use(s.deletes.pop())
	}
	if s.missDue < zone.s {
		if f := s.empty(s.firstMiss); f.kind != noFault {
			return f
		}
	}
	for s.makers.due() < zone.s {
		if f := s.make(); f.kind != noFault {
			return f
		}
	}
	return fault{}
}

// make places the block that is due first of those that begin where nothing is.
func (s *sweep) make() fault {
	if s.present {
		if f := s.empty(s.makers[0].item); f.kind != noFault {
			return f
		}
	}
	s.arise()
	return fault{}
}

// empty uses the delete that is due first, since the item needs that nothing is there.
func (s *sweep) empty(item int32) fault {
	switch n := len(s.optional); {
	case len(s.deletes) > 0:
		s.use(s.deletes.pop())
	case n > 0:
		last := s.optional[n-1]
		s.optional = s.optional[:n-1]
		s.use(last)
	default:
		return fault{kind: unexplainedMiss, item: item}
	}
	return fault{}
}

// use places a delete, and with it everything that waits.
func (s *sweep) use(item int32) {
	if !s.present && len(s.makers) > 0 || len(s.clusters) > 0 {
		s.arise()
	}
	s.put(item)
	s.leave()
}

// leave makes the value absent and places everything that waits for that.
func (s *sweep) leave() {
	s.present = false
	s.order = append(s.order, s.misses...)
	s.misses, s.missDue = s.misses[:0], never
}

// placeClusters places the clusters that wait, if any.
func (s *sweep) placeClusters() {
	if len(s.clusters) > 0 {
		s.arise()
	}
}

// arise makes a value present: where nothing is, by the block that is due first of those that need
// that; and places the clusters that wait.
func (s *sweep) arise() {
	if !s.present && len(s.makers) > 0 {
		s.put(s.makers.pop())
	}
	s.order = append(s.order, s.clusters...)
	s.clusters, s.clusterDue = s.clusters[:0], never
	s.present = true
}

func (s *sweep) put(position int32) { s.order = append(s.order, position) }
