package workload_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/workload"
)

func TestSpecWithDefaults(t *testing.T) {
	mix := workload.Mix{Upsert: 50, Get: 40, Delete: 10}
	tests := []struct {
		name string
		spec workload.Spec
		want workload.Spec
		why  string
	}{
		{"zero", workload.Spec{}, workload.Spec{
			Profile: "uniform", Clients: 8, Sessions: 8, Keys: 8, Mix: mix, ValueSize: 64,
		}, "the zero Spec is the everyday load"},
		{"given fields stay",
			workload.Spec{Seed: 7, Clients: 3, Keys: 1, Mix: workload.Mix{Get: 1}},
			workload.Spec{
				Profile: "uniform", Seed: 7, Clients: 3, Sessions: 8, Keys: 1,
				Mix: workload.Mix{Get: 1}, ValueSize: 64,
			}, "only zero fields take a default"},
		{"default keys shrink", workload.Spec{Profile: "births", Sessions: 64}, workload.Spec{
			Profile: "births", Clients: 8, Sessions: 64, Keys: 1 << 14,
			Mix: workload.Mix{Upsert: 60, Get: 30, Delete: 10}, ValueSize: 64,
		}, "whoever sets one number need not know the default of the other"},
		{"thinking", workload.Spec{Profile: "updates", Think: time.Nanosecond}, workload.Spec{
			Profile: "updates", Clients: 8, Sessions: 2, Keys: 2, ValueSize: 64, Think: 1,
			Mix: workload.Mix{Upsert: 10, Get: 20, Update: 70},
		}, "the shortest time is no default"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.spec.WithDefaults()
			require.NoError(t, err, tt.why)
			require.Empty(t, cmp.Diff(tt.want, got), tt.why)
			again, err := got.WithDefaults()
			require.NoError(t, err)
			require.Equal(t, got, again, "nothing is left to fill in")
		})
	}
}

func TestSpecValidate(t *testing.T) {
	const limits = "; it goes from 1 to %d, and 0 means the default"
	tests := []struct {
		name string
		spec workload.Spec
		want string
	}{
		{"profile", workload.Spec{Profile: "hott"},
			`unknown profile "hott"; there are uniform, hot, births, churn, names, updates, ` +
				`takes, sessions, chat`},
		{"clients", workload.Spec{Clients: 10_001}, fmt.Sprintf("clients is 10001"+limits, 10_000)},
		{"negative", workload.Spec{Clients: -1}, fmt.Sprintf("clients is -1"+limits, 10_000)},
		{"sessions", workload.Spec{Sessions: -2}, fmt.Sprintf("sessions is -2"+limits, 1<<20)},
		{"keys", workload.Spec{Keys: 1<<20 + 1}, fmt.Sprintf("keys is 1048577"+limits, 1<<20)},
		{"slots", workload.Spec{Sessions: 1 << 20, Keys: 2},
			"sessions times keys is 1048576 times 2; it cannot be more than 1048576"},
		{"value size", workload.Spec{ValueSize: 16<<20 + 1},
			fmt.Sprintf("value size is 16777217"+limits, 16<<20)},
		{"think", workload.Spec{Think: time.Second + 1},
			"think is 1.000000001s; it goes from 1ns to 1s, and 0 means the default"},
		{"negative think", workload.Spec{Think: -1},
			"think is -1ns; it goes from 1ns to 1s, and 0 means the default"},
		{"chat", workload.Spec{Profile: "chat", Mix: workload.Mix{Add: 1, Get: 1}},
			"mix is get=1,add=1; add and items go with the profile chat, and nothing else does"},
		{"no chat", workload.Spec{Mix: workload.Mix{Items: 1}},
			"mix is items=1; add and items go with the profile chat, and nothing else does"},
		{"many lists", workload.Spec{Profile: "chat", Keys: 2},
			"keys is 2; in the profile chat a session has one list, so it is 1"},
		{"long listings", workload.Spec{Profile: "births", Mix: workload.Mix{List: 1}},
			"keys is 65536; of a session that is listed or cleared it goes to 256"},
		{"mix", workload.Spec{Mix: workload.Mix{Get: -1}},
			"mix: weight -1 of get is out of range; it goes from 0 to 1000000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.EqualError(t, tt.spec.Validate(), tt.want)
			_, err := workload.New(tt.spec)
			require.EqualError(t, err, tt.want, "New refuses what Validate refuses")
		})
	}
	largest := workload.Spec{Clients: 10_000, Sessions: 1 << 10, Keys: 1 << 10,
		ValueSize: 16 << 20, Think: time.Second}
	require.NoError(t, largest.Validate(), "the limits themselves are allowed")
}

func TestSpecMeta(t *testing.T) {
	spec, err := workload.Spec{Profile: "hot", Seed: 42}.WithDefaults()
	require.NoError(t, err)
	want := []history.Meta{
		{Name: "profile", Value: "hot"}, {Name: "seed", Value: "42"},
		{Name: "clients", Value: "8"}, {Name: "sessions", Value: "2"}, {Name: "keys", Value: "2"},
		{Name: "mix", Value: "upsert=50,get=45,delete=5"}, {Name: "value-size", Value: "64"},
	}
	require.Empty(t, cmp.Diff(want, spec.Meta()))
	require.Equal(t, "profile hot, seed 42, clients 8, sessions 2, keys 2, "+
		"mix upsert=50,get=45,delete=5, value-size 64", spec.String())
	spec, err = workload.Spec{Profile: "updates", Keys: 1}.WithDefaults()
	require.NoError(t, err)
	require.Equal(t, "profile updates, seed 0, clients 8, sessions 2, keys 1, "+
		"mix upsert=10,get=20,update=70, value-size 64, think 100µs", spec.String())
}

func TestProfiles(t *testing.T) {
	var names []string
	for _, p := range workload.Profiles() {
		names = append(names, p.Name)
		require.NotEmpty(t, p.Purpose, p.Name)
		require.Equal(t, p.Name, p.Defaults.Profile)
		got, err := p.Defaults.WithDefaults()
		require.NoError(t, err, p.Name)
		require.Equal(t, p.Defaults, got, "defaults leave nothing open")
	}
	require.Equal(t, []string{"uniform", "hot", "births", "churn", "names", "updates", "takes",
		"sessions", "chat"},
		names)
}
