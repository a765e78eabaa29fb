package workload_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/workload"
)

func TestParseMix(t *testing.T) {
	tests := []struct {
		name, text string
		want       workload.Mix
		why        string
	}{
		{"all three", "upsert=50,get=40,delete=10", workload.Mix{Upsert: 50, Get: 40, Delete: 10},
			"the form that String writes"},
		{"all five", "upsert=5,get=4,delete=3,update=2,take=1",
			workload.Mix{Upsert: 5, Get: 4, Delete: 3, Update: 2, Take: 1}, "each kind has a name"},
		{"another order", "delete=1,upsert=2", workload.Mix{Upsert: 2, Delete: 1},
			"names say what is meant, so the order does not matter"},
		{"one alone", "get=1", workload.Mix{Get: 1}, "what is not named does not come"},
		{"spaces", " upsert = 1 , get=2", workload.Mix{Upsert: 1, Get: 2},
			"people put spaces after commas"},
		{"largest weight", "get=1000000", workload.Mix{Get: 1_000_000},
			"the limit itself is allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := workload.ParseMix(tt.text)
			require.NoError(t, err, tt.why)
			require.Empty(t, cmp.Diff(tt.want, got), tt.why)
		})
	}
}

func TestParseMixRefuses(t *testing.T) {
	tests := []struct{ name, text, want, why string }{
		{"empty", "", `mix "": "" has no weight; write it like "upsert=50,get=40,delete=10"`,
			"an empty flag is a slip, not the default"},
		{"no weight", "upsert", `mix "upsert": "upsert" has no weight; ` +
			`write it like "upsert=50,get=40,delete=10"`, "nobody can guess the weight"},
		{"unknown", "put=1", `mix "put=1": unknown kind "put"; there are ` +
			"upsert, get, delete, update, take, list, clear, add and items",
			"a kind that is left out silently would make the run prove less"},
		{"twice", "get=1,get=2", `mix "get=1,get=2": get is given twice; give it once`,
			"one of the two must be a slip"},
		{"no client appends", "append=1", `mix "append=1": unknown kind "append"; there are ` +
			"upsert, get, delete, update, take, list, clear, add and items",
			"it is a kind of histories from elsewhere"},
		{"no number", "get=many", `mix "get=many": weight "many" of get is no whole number; ` +
			`write it like "upsert=50,get=40,delete=10"`, "weights are whole numbers"},
		{"negative", "upsert=2,get=-1",
			`mix "upsert=2,get=-1": weight -1 of get is out of range; it goes from 0 to 1000000`,
			"less than never cannot be"},
		{"too large", "get=1000001",
			`mix "get=1000001": weight 1000001 of get is out of range; it goes from 0 to 1000000`,
			"sums must not overflow"},
		{"nothing", "upsert=0,get=0",
			`mix "upsert=0,get=0": all weights are 0; at least one has to be more`,
			"there would be no operation"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := workload.ParseMix(tt.text)
			require.EqualError(t, err, tt.want, tt.why)
		})
	}
}

func TestMixString(t *testing.T) {
	tests := []struct {
		mix       workload.Mix
		want, why string
	}{
		{workload.Mix{Upsert: 50, Get: 40, Delete: 10}, "upsert=50,get=40,delete=10", ""},
		{workload.Mix{Get: 30, Upsert: 50, Update: 20}, "upsert=50,get=30,update=20",
			"what does not come is not named"},
		{workload.Mix{Take: 1}, "take=1", ""},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, tt.mix.String(), tt.why)
	}
}

func FuzzParseMix(f *testing.F) {
	f.Add("upsert=50,get=40,delete=10")
	f.Add("update=1,take=2,get=0")
	f.Add(" get = 007,,delete=+1")
	f.Add("get=9223372036854775807,upsert=1")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := workload.ParseMix(text)
		if err != nil {
			return
		}
		again, err := workload.ParseMix(m.String())
		if err != nil || again != m {
			t.Fatalf("%q became %v, which became %v, %v", text, m, again, err)
		}
	})
}
