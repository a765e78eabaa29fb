package history_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/store"
	"memrace/stress/history"
)

func TestCommitsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		commits := rapid.SliceOf(rapid.Custom(func(t *rapid.T) store.Commit {
			c := store.Commit{
				Transaction: rapid.Int64Range(0, 9).Draw(t, "transaction"),
				Session:     rapid.String().Draw(t, "session"),
				Key:         rapid.SampledFrom([]string{"", "k", "\xff", "-"}).Draw(t, "key"),
				Deleted:     rapid.Bool().Draw(t, "deleted"),
			}
			if !c.Deleted {
				c.Value = rapid.String().Draw(t, "value")
			}
			return c
		})).Draw(t, "commits")
		var file strings.Builder
		require.NoError(t, history.WriteCommits(&file, commits))
		got, err := history.ReadCommits(strings.NewReader(file.String()), "commits.txt")
		require.NoError(t, err)
		require.Equal(t, len(commits), len(got))
		for i := range commits {
			require.Equal(t, commits[i], got[i])
		}
	})
}

func TestCommitsThatAreNone(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", `c:1: these are no commits of memrace; want "memrace-commits 1" in line 1`},
		{"rows", "memrace-rows 1\n",
			`c:1: these are no commits of memrace; want "memrace-commits 1" in line 1`},
		{"number", "memrace-commits 1\nx \"s\" \"k\" -\n",
			`c:2: the transaction is "x"; want a number, 0 to 9223372036854775806`},
		{"value", "memrace-commits 1\n1 \"s\" \"k\" -x\n",
			`c:2: the value is "-x"; want a text in quotes, or -`},
		{"short", "memrace-commits 1\n1 \"s\" \"k\"\n",
			`c:2: the line ends where its value should be; want transaction session key value`},
		{"long", "memrace-commits 1\n1 \"s\" \"k\" - -\n",
			`c:2: "-" behind the end of the commit; want nothing, or # and a comment`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := history.ReadCommits(strings.NewReader(tt.text), "c")
			require.EqualError(t, err, tt.want)
		})
	}
	bad := []store.Commit{{}, {Transaction: -1}}
	require.EqualError(t, history.WriteCommits(&strings.Builder{}, bad),
		"write commits: commit 1: transaction -1")
}
