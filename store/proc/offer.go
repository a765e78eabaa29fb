package proc

import (
	"context"
	"fmt"
	"strconv"

	"memrace/store"
	"memrace/store/disk"
)

// offer is an operation that the far end has, and how it is done. What call returns besides the
// answer is written into the same line.
type offer struct {
	op
	call func(*far, request) (answer, any, error)
}

// offers lists the operations that a store has.
func offers(s store.Store) []offer {
	list := []offer{
		{opUpsert, (*far).upsert}, {opGet, (*far).get}, {opDelete, (*far).remove},
		{opPing, (*far).ping},
	}
	if _, ok := s.(store.Updater); ok {
		list = append(list, offer{opUpdate, (*far).update})
	}
	if _, ok := s.(store.Taker); ok {
		list = append(list, offer{opTake, (*far).pull})
	}
	if _, ok := s.(store.Lister); ok {
		list = append(list, offer{opList, (*far).list})
	}
	if _, ok := s.(store.Clearer); ok {
		list = append(list, offer{opClear, (*far).clear})
	}
	if _, ok := s.(store.Appender); ok {
		list = append(list, offer{opAppend, (*far).push}, offer{opItems, (*far).items})
	}
	if _, ok := s.(store.Dumper); ok {
		list = append(list, offer{opDump, (*far).dump})
	}
	if _, ok := s.(store.Checker); ok {
		list = append(list, offer{opCheck, (*far).check})
	}
	if c, ok := s.(Cutter); ok && c.CanCutPower() {
		list = append(list, offer{opCut, (*far).cut}, offer{opDisk, (*far).disk})
	}
	return list
}

// Cutter is implemented by a store in which the power can fail: its process ends, and what had not
// reached the disk is lost, or a part of it.
type Cutter interface {
	CanCutPower() bool
	// CutPower returns only if the power did not fail; the error says why.
	CutPower(seed uint64) error
	// SetDisk puts faults in the place of those that the disk has.
	SetDisk(ctx context.Context, f disk.Faults) error
}

func (f *far) cut(r request) (answer, any, error) {
	seed, err := strconv.ParseUint(r.Value.text, 10, 64)
	if err != nil {
		return answer{}, nil, fmt.Errorf("the seed is %q; want a whole number", r.Value.text)
	}
	return answer{}, nil, f.store.(Cutter).CutPower(seed)
}

func (f *far) disk(r request) (answer, any, error) {
	faults, err := disk.ParseFaults(r.Value.text)
	if err != nil {
		return answer{}, nil, err
	}
	return answer{}, nil, f.store.(Cutter).SetDisk(f.ctx, faults)
}

func (f *far) check(request) (answer, any, error) {
	return answer{}, nil, f.store.(store.Checker).Check(f.ctx)
}

func (f *far) ping(request) (answer, any, error) { return answer{}, nil, nil }

func (f *far) upsert(r request) (answer, any, error) {
	at, err := f.store.Upsert(f.ctx, r.Session.text, r.Key.text, r.Value.text)
	if err != nil || at.IsZero() {
		return answer{}, nil, err
	}
	return answer{UpdatedAt: at.UnixNano()}, nil, nil
}

func (f *far) get(r request) (answer, any, error) {
	value, found, err := f.store.Get(f.ctx, r.Session.text, r.Key.text)
	return withValue(value, found, err)
}

func (f *far) remove(r request) (answer, any, error) {
	return answer{}, nil, f.store.Delete(f.ctx, r.Session.text, r.Key.text)
}

func (f *far) pull(r request) (answer, any, error) {
	value, found, err := f.store.(store.Taker).Take(f.ctx, r.Session.text, r.Key.text)
	return withValue(value, found, err)
}

func withValue(value string, found bool, err error) (answer, any, error) {
	if err != nil {
		return answer{}, nil, err
	}
	if !found {
		return answer{Found: &no}, nil, nil
	}
	return answer{Found: &yes, Value: &value}, nil, nil
}

func (f *far) list(r request) (answer, any, error) {
	found, err := f.store.(store.Lister).List(f.ctx, r.Session.text)
	if err != nil {
		return answer{}, nil, err
	}
	entries := make([]entry, 0, len(found))
	for _, e := range found {
		entries = append(entries, entry(e))
	}
	return answer{}, listing{entries}, nil
}

func (f *far) clear(r request) (answer, any, error) {
	return answer{}, nil, f.store.(store.Clearer).Clear(f.ctx, r.Session.text)
}

func (f *far) push(r request) (answer, any, error) {
	return answer{}, nil, f.store.(store.Appender).Append(f.ctx, r.Session.text, r.Value.text)
}

func (f *far) items(r request) (answer, any, error) {
	found, err := f.store.(store.Appender).Items(f.ctx, r.Session.text)
	if err != nil {
		return answer{}, nil, err
	}
	return answer{}, items{append([]string{}, found...)}, nil
}

func (f *far) dump(request) (answer, any, error) {
	found, err := f.store.(store.Dumper).Dump(f.ctx)
	if err != nil {
		return answer{}, nil, err
	}
	all := make([]row, 0, len(found))
	for _, r := range found {
		all = append(all, newRow(r))
	}
	return answer{}, rows{all}, nil
}
