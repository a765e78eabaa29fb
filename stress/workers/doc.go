// Package workers plays a plan on a store: it holds whatever of a run needs a goroutine or a
// clock. Each client of the plan is one goroutine with a recorder of its own; what they record
// becomes a history.
//
// It neither chooses what is done (workload) nor says whether it was done right (check).
package workers
