package proc

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"

	"memrace/store"
)

// answer writes an answer that has nothing but simple members.
func (f *far) answer(a answer) { f.reply(a, nil) }

// reply writes an answer, and in the same line the members of more unless that is nil.
func (f *far) reply(a answer, more any) {
	line := appendAnswer(nil, a)
	if more != nil {
		text, err := json.Marshal(more)
		if err != nil {
			f.reply(outcome(answer{ID: a.ID}, fmt.Errorf("write the answer: %w", err)), nil)
			return
		}
		line = append(append(line[:len(line)-1], ','), text[1:]...)
	}
	f.out.add(append(line, '\n'))
}

// appendAnswer adds an answer as an object, without an end of line.
func appendAnswer(line []byte, a answer) []byte {
	line = append(line, `{"id":`...)
	line = strconv.AppendInt(line, a.ID, 10)
	line = append(line, `,"type":"`...)
	line = append(line, a.Type...)
	line = append(line, '"')
	for _, m := range []struct{ name, text string }{
		{`,"error":`, a.Error}, {`,"class":`, a.Class},
	} {
		if m.text != "" {
			line = appendText(append(line, m.name...), m.text)
		}
	}
	if a.Found != nil {
		line = strconv.AppendBool(append(line, `,"found":`...), *a.Found)
	}
	if a.Value != nil {
		line = appendText(append(line, `,"value":`...), *a.Value)
	}
	for _, m := range []struct {
		name   string
		number int64
	}{{`,"t0":`, a.T0}, {`,"t1":`, a.T1}, {`,"updated_at":`, a.UpdatedAt}} {
		if m.number != 0 {
			line = strconv.AppendInt(append(line, m.name...), m.number, 10)
		}
	}
	return append(line, '}')
}

// update makes a call whose store asks, through the near end, what to write.
func (f *far) update(r request) (answer, any, error) {
	told := make(chan request, 1)
	if !f.register(r.ID, told) {
		return answer{}, nil, fmt.Errorf("the input has ended: %w", store.ErrNotApplied)
	}
	defer f.register(r.ID, nil)
	change := func(old string, found bool) string {
		seen, _, _ := withValue(old, found, nil)
		seen.ID, seen.Type = r.ID, typeSeen
		f.answer(seen)
		reply, ok := <-told
		if why := reply.noValue(ok); why != "" {
			*r.ended = why
			runtime.Goexit() // a change has no other way to say that there is none
		}
		return reply.Value.text
	}
	_, _, err := f.store.(store.Updater).Update(f.ctx, r.Session.text, r.Key.text, change)
	return answer{}, nil, err
}

// noValue says why an update has nothing to write; "" if it has. One that was not told was not
// answered before the input ended.
func (r *request) noValue(told bool) string {
	switch {
	case !told:
		return "the input ended before a change"
	case r.Op == opCancel.name:
		return "it was cancelled"
	}
	if err := r.lacks(opChange); err != nil {
		return err.Error()
	}
	return ""
}

// register notes where to tell an update what to write; nil notes that it has ended. It reports
// false if nobody will tell it any more.
func (f *far) register(id int64, told chan request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case told == nil:
		delete(f.updates, id)
	case f.ended:
		return false
	default:
		f.updates[id] = told
	}
	return true
}

// tell hands a change to the update that it is for. One that comes too late, or that nobody asked
// for, is dropped.
func (f *far) tell(r request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case f.updates[r.ID] <- r:
	default:
	}
}

// endUpdates lets all updates know that nobody will tell them what to write.
func (f *far) endUpdates() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for _, told := range f.updates {
		close(told)
	}
	f.updates = nil
}
