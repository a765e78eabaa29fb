package bench

// Cell is the turns that one load had on one store: a cell of the table of both.
type Cell struct {
	Subject Subject
	Load    Load
	Turns   []*Turn
}

// Cells puts the turns together that are of the same load and store, in the order of their first.
func Cells(turns []*Turn) []*Cell {
	type key struct {
		store, driver, sync string
		load                Load
	}
	at := map[key]*Cell{}
	var cells []*Cell
	for _, t := range turns {
		k := key{t.Subject.Store, t.Subject.Driver, t.Subject.Sync, t.Load}
		if at[k] == nil {
			at[k] = &Cell{Subject: t.Subject, Load: t.Load}
			cells = append(cells, at[k])
		}
		at[k].Turns = append(at[k].Turns, t)
	}
	return cells
}

// Estimate returns what the turns say about a number that each of them has.
func (c *Cell) Estimate(number func(*Turn) float64) Estimate {
	var values []float64
	for _, t := range c.Turns {
		values = append(values, number(t))
	}
	return NewEstimate(values)
}

// Kinds adds up the operations of all turns, kind by kind.
func (c *Cell) Kinds() []*Kind {
	kinds := newKinds(c.Load.Mix)
	for _, t := range c.Turns {
		for i, k := range t.Kinds {
			kinds[i].Add(k)
		}
	}
	return kinds
}

// All adds up the operations of all turns and kinds.
func (c *Cell) All() *Kind {
	all := &Kind{}
	for _, k := range c.Kinds() {
		all.Add(k)
	}
	return all
}

// Outrun returns the turn in which the queue got longest among those in which the store could not
// do what was due, or nil if it could in most of them.
func (c *Cell) Outrun() *Turn {
	var worst *Turn
	n := 0
	for _, t := range c.Turns {
		if !t.Outrun() {
			continue
		}
		if n++; worst == nil || t.Queue.End > worst.Queue.End {
			worst = t
		}
	}
	if 2*n <= len(c.Turns) {
		return nil
	}
	return worst
}
