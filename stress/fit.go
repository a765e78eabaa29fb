package stress

import (
	"fmt"

	"memrace/store"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// bound makes the plan one for a store that says that it keeps so many items and no more.
func (x *experiment) bound() (err error) {
	if x.config.Bound != 0 || x.about.Bounded == 0 || x.config.Mix.Add == 0 {
		return nil
	}
	x.config.Bound = x.about.Bounded
	x.plan, err = workload.New(x.config.spec())
	return err
}

// unfit says why the store cannot do what the workload consists of, or "".
func (x *experiment) unfit(s store.Store) string {
	lack := workers.Lacks(s, x.config.Mix)
	switch {
	case lack == "":
		return ""
	case x.config.Mix == x.plan.Profile().Defaults.Mix:
		return fmt.Sprintf("the store has %s, which the profile %s needs", lack, x.config.Profile)
	}
	return fmt.Sprintf("the store has %s, which the mix %s needs", lack, x.config.Mix)
}
