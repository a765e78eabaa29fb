package workload_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/workload"
)

func newPlan(t testing.TB, s workload.Spec) *workload.Plan {
	t.Helper()
	p, err := workload.New(s)
	require.NoError(t, err)
	return p
}

// take returns the first n steps of a client, or all there are.
func take(s *workload.Steps, n int) []workload.Step {
	var list []workload.Step
	for range n {
		step, ok := s.Next()
		if !ok {
			return list
		}
		list = append(list, step)
	}
	return list
}

func TestStepsDependOnSeedAlone(t *testing.T) {
	for _, p := range workload.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			few := newPlan(t, workload.Spec{Profile: p.Name, Seed: 3, Clients: 2})
			many := newPlan(t, workload.Spec{Profile: p.Name, Seed: 3, Clients: 100})
			other := newPlan(t, workload.Spec{Profile: p.Name, Seed: 4, Clients: 2})
			want := take(few.Client(1), 500)
			require.Equal(t, want, take(few.Client(1), 500), "asked again, the same")
			require.Equal(t, want, take(many.Client(1), 500), "other clients change nothing")
			require.NotEqual(t, want, take(few.Client(0), 500), "clients differ")
			require.NotEqual(t, want, take(other.Client(1), 500), "seeds differ")
			require.Equal(t, few.Run(), many.Run())
			require.NotEqual(t, few.Run(), other.Run(), "runs are told apart by their seeds")
		})
	}
}

// The first steps are written down, since a seed in an old report has to mean the same for ever.
func TestStepsOfSeedOne(t *testing.T) {
	want := map[string]string{
		"uniform":  "u18 g61 g31 g62 u49 u26 u39 g43",
		"hot":      "u2 g1 g3 g2 u1 u2 u3 g3",
		"births":   "u0! d0 g0 g0 u1! u1 g1 u1",
		"churn":    "d3 d3 d3 g3 d3 u3 u3 g3",
		"names":    "g9049 u9049 u7800 g7801 g8111 u8009 g104 u0",
		"updates":  "u2 x1~ x0 g1 g2 g3 x3 g3",
		"takes":    "u2 t1 x3 u3 g2 x2 t3 u3",
		"sessions": "u2 L1 L1 L0 u1 u2 u7 L1",
		"chat":     "a0! i0 i0 i0 i0 a0 i0 a0",
	}
	for _, p := range workload.Profiles() {
		plan := newPlan(t, workload.Spec{Profile: p.Name, Seed: 1})
		require.Equal(t, want[p.Name], brief(take(plan.Client(2), 8)), p.Name)
	}
}

var letters = map[string]string{
	"upsert": "u", "get": "g", "delete": "d", "update": "x", "take": "t", "list": "L", "clear": "C",
	"add": "a", "items": "i",
}

func brief(steps []workload.Step) string {
	var parts []string
	for _, s := range steps {
		meet := ""
		if s.Meet {
			meet = "!"
		}
		if s.Think > 0 {
			meet += "~"
		}
		parts = append(parts, fmt.Sprintf("%s%d%s", letters[s.Act.String()], s.Slot, meet))
	}
	return strings.Join(parts, " ")
}

func TestMixIsKept(t *testing.T) {
	const n = 20_000
	mix := workload.Mix{Upsert: 5, Get: 3, Delete: 2, Update: 3, Take: 3, List: 1, Clear: 3}
	for _, name := range []string{"uniform", "hot", "churn", "names", "updates", "takes"} {
		plan := newPlan(t, workload.Spec{Profile: name, Mix: mix, Keys: 200})
		count := map[string]float64{}
		for _, s := range take(plan.Client(0), n) {
			count[s.Act.String()]++
		}
		want := map[string]float64{"upsert": 0.25, "get": 0.15, "delete": 0.1, "update": 0.15,
			"take": 0.15, "list": 0.05, "clear": 0.15}
		require.Len(t, count, len(want))
		for kind, share := range want {
			require.InDelta(t, share, count[kind]/n, 0.02, "%s: %v", name, kind)
		}
	}
}

func TestThink(t *testing.T) {
	const n = 4000
	kinds := func(d time.Duration) (kinds []history.Kind, thoughts int) {
		plan := newPlan(t, workload.Spec{Profile: "takes", Think: d,
			Mix: workload.Mix{Upsert: 1, Take: 1, Update: 2}})
		for _, s := range take(plan.Client(0), n) {
			kinds = append(kinds, s.Kind)
			if s.Think != 0 {
				require.Equal(t, history.Update, s.Kind, "only an update has a place to think")
				require.Equal(t, d, s.Think)
				thoughts++
			}
		}
		return kinds, thoughts
	}
	never, thoughts := kinds(0)
	require.Zero(t, thoughts)
	often, thoughts := kinds(time.Millisecond)
	require.InDelta(t, 0.125, float64(thoughts)/n, 0.02, "one in four updates")
	require.Equal(t, never, often, "whoever thinks makes the same steps")
}

func TestEverySlotIsUsed(t *testing.T) {
	for _, p := range workload.Profiles() {
		spec := workload.Spec{Profile: p.Name, Sessions: 3, Keys: 3}
		if p.Name == "chat" {
			spec = workload.Spec{Profile: p.Name, Sessions: 9} // a session has one list
		}
		if p.Name == "names" {
			continue // uses only slots whose session and key are alike
		}
		seen := make(map[uint32]bool)
		for _, s := range take(newPlan(t, spec).Client(0), 1000) {
			require.Less(t, s.Slot, uint32(9), p.Name)
			seen[s.Slot] = true
		}
		require.Len(t, seen, 9, p.Name)
	}
}

func TestBirths(t *testing.T) {
	plan := newPlan(t, workload.Spec{Profile: "births", Sessions: 2, Keys: 3})
	steps := take(plan.Client(5), 1000)
	require.Len(t, steps, 6*4, "four steps on each slot, then no more")
	var born []uint32
	for i, s := range steps {
		require.Equal(t, i%4 == 0, s.Meet, "step %d", i)
		if s.Meet {
			require.Equal(t, history.Upsert, s.Kind, "whoever steps onto a fresh slot writes")
			born = append(born, s.Slot)
		}
		require.Equal(t, born[len(born)-1], s.Slot, "step %d stays on the slot", i)
	}
	require.Equal(t, []uint32{0, 1, 2, 3, 4, 5}, born, "the slots in use are the first ones")
	require.Equal(t, history.Slot{Session: "s0", Key: "k0"}, plan.Slot(0))
	require.Equal(t, history.Slot{Session: "s1", Key: "k0"}, plan.Slot(1), "the same key in turn")
	require.Equal(t, history.Slot{Session: "s0", Key: "k1"}, plan.Slot(2))

	reads := newPlan(t, workload.Spec{Profile: "births", Mix: workload.Mix{Get: 1}})
	for _, s := range take(reads.Client(0), 8) {
		require.Equal(t, history.Get, s.Kind, "a mix without upserts stays so")
	}
}

func TestChurnStays(t *testing.T) {
	steps := take(newPlan(t, workload.Spec{Profile: "churn"}).Client(0), 400)
	for i, s := range steps {
		require.Equal(t, steps[i/4*4].Slot, s.Slot, "step %d", i)
	}
}

func TestCallsOnWholeSessions(t *testing.T) {
	plan := newPlan(t, workload.Spec{Profile: "sessions", Sessions: 3, Keys: 4})
	listed := map[uint32]bool{}
	for _, s := range take(plan.Client(0), 500) {
		if s.Whole {
			require.Less(t, s.Slot, uint32(3), "the first slot of the session")
			listed[s.Slot] = true
		}
	}
	require.Len(t, listed, 3, "each session is listed")
	require.Equal(t, []uint32{2, 5, 8, 11}, plan.Session(nil, 8))
	for place, slot := range plan.Session(nil, 1) {
		got, ok := plan.Key(plan.Slot(slot).Key)
		require.True(t, ok)
		require.Equal(t, place, got)
	}
	_, ok := plan.Key("k4")
	require.False(t, ok)
}

func TestChatMovesOn(t *testing.T) {
	steps := take(newPlan(t, workload.Spec{Profile: "chat", Sessions: 5}).Client(3), 1000)
	require.Len(t, steps, 5*8, "eight steps on each list, then no more")
	for i, s := range steps {
		require.Equal(t, uint32(i/8), s.Slot, "step %d", i)
		require.Equal(t, i%8 == 0, s.Meet, "step %d", i)
	}
	plan := newPlan(t, workload.Spec{Profile: "chat"})
	require.Equal(t, history.Slot{Session: "s7"}, plan.Slot(7), "the list of a session has no key")
}

func TestBoundedChat(t *testing.T) {
	for _, tt := range []struct{ bound, clients, most int }{
		{8, 3, 8}, {2, 3, 2}, {1, 5, 1}, {1000, 3, 3 * 8}, {0, 3, 3 * 8},
	} {
		plan := newPlan(t, workload.Spec{Profile: "chat", Sessions: 20, Clients: tt.clients,
			Bound: tt.bound, Mix: workload.Mix{Add: 1}})
		added := map[uint32]int{}
		for i := range tt.clients {
			for _, s := range take(plan.Client(i), 1000) {
				if s.Kind == history.Add {
					added[s.Slot]++
				}
			}
		}
		require.Len(t, added, 20)
		for slot, n := range added {
			require.Equal(t, tt.most, n, "bound %d: list %d", tt.bound, slot)
		}
	}
	require.EqualError(t, workload.Spec{Bound: -1}.Validate(),
		"bound is -1; it goes from 1, and 0 means no bound")
}

func TestSlotsDiffer(t *testing.T) {
	specs := []workload.Spec{
		{Profile: "uniform"}, {Profile: "hot"}, {Profile: "births"}, {Profile: "churn"},
		{Profile: "updates"}, {Profile: "takes"}, {Profile: "names"},
		{Profile: "names", Sessions: 2, Keys: 1000},
	}
	for _, s := range specs {
		plan := newPlan(t, s)
		slots := make(map[history.Slot]uint32)
		n := uint32(plan.Spec().Sessions * plan.Spec().Keys)
		for i := range n {
			slot := plan.Slot(i)
			first, twice := slots[slot]
			require.False(t, twice, "%v: slots %d and %d are both %q", s, first, i, slot)
			slots[slot] = i
		}
	}
	require.Equal(t, history.Slot{Session: "s1", Key: "k2"},
		newPlan(t, workload.Spec{Sessions: 3, Keys: 4}).Slot(7))
}

func BenchmarkNext(b *testing.B) {
	for _, p := range workload.Profiles() {
		b.Run("profile="+p.Name, func(b *testing.B) {
			plan := newPlan(b, workload.Spec{Profile: p.Name})
			steps := plan.Client(0)
			for b.Loop() {
				s, ok := steps.Next()
				if !ok {
					steps = plan.Client(0)
				}
				_ = plan.Slot(s.Slot)
			}
		})
	}
}
