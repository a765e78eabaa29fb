package bench

import "math"

// Ratio is a number that does not depend much on the machine, since both of its sides were measured
// there in the same run, and what is wanted of it.
type Ratio struct {
	Name string
	// Goal is what it is to reach, Floor what it may not fall short of.
	Goal, Floor float64
	// Lower is true where lower is better.
	Lower bool
}

// Verdict is what came of a Ratio.
type Verdict int

// The verdicts.
const (
	// Reached means that the goal is.
	Reached Verdict = iota
	// FloorOnly means that the floor is, and the goal is not.
	FloorOnly
	// Below means that not even the floor is, or that nothing is known.
	Below
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"reached", "floor only", "below the floor"}[v]
}

// Judge compares a median with the goal and the floor.
func (r Ratio) Judge(e Estimate) Verdict {
	switch {
	case e.N == 0:
		return Below
	case r.atLeast(e.Median, r.Goal):
		return Reached
	case r.atLeast(e.Median, r.Floor):
		return FloorOnly
	}
	return Below
}

func (r Ratio) atLeast(value, wanted float64) bool {
	if r.Lower {
		return value <= wanted
	}
	return value >= wanted
}

// Round is the turns that each store had in one round, by the name of the store.
type Round map[string]*Turn

// Rounds sorts turns of one load into rounds.
func Rounds(turns []*Turn) (rounds []Round) {
	for _, t := range turns {
		for len(rounds) <= t.Round {
			rounds = append(rounds, Round{})
		}
		rounds[t.Round][t.Subject.Store] = t
	}
	return rounds
}

// Ratios returns the estimate that the rounds make of a number of one store beside that of another,
// one ratio for each round. A round in which one of the numbers is not known, or the second is 0,
// does not count.
func Ratios(rounds []Round, a, b string, number func(*Turn) float64) Estimate {
	return Numbers(rounds, func(r Round) float64 {
		if r[a] == nil || r[b] == nil {
			return math.NaN()
		}
		return number(r[a]) / number(r[b])
	})
}

// Numbers returns the estimate that the rounds make of a number that each of them has, unless it is
// no finite one.
func Numbers(rounds []Round, number func(Round) float64) Estimate {
	var values []float64
	for _, r := range rounds {
		if n := number(r); !math.IsNaN(n) && !math.IsInf(n, 0) {
			values = append(values, n)
		}
	}
	return NewEstimate(values)
}
