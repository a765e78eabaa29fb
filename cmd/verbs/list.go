package verbs

import (
	"context"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"memrace/store/sqlite"
	"memrace/stress/check"
	"memrace/stress/mutant"
	"memrace/stress/workload"
)

func newList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "show the drivers, stores, settings, profiles, properties and mutants there are",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			if err := listDrivers(c.Context(), out); err != nil {
				return runError{err}
			}
			for _, part := range []func(io.Writer){
				listStores, listProfiles, listProperties, listMutants,
			} {
				part(out)
			}
			return nil
		},
	}
}

// listDrivers shows the drivers that this program has, each of which brings its own SQLite.
func listDrivers(ctx context.Context, out io.Writer) error {
	drivers := sqlite.Drivers()
	if len(drivers) == 0 {
		return nil
	}
	t := newTable(table.Row{"driver", "sqlite", "source"})
	for _, d := range drivers {
		version, source, err := d.Version(ctx)
		if err != nil {
			return fmt.Errorf("driver %s: %w", d.Name, err)
		}
		t.AppendRow(table.Row{d.Name, version, source})
	}
	fmt.Fprintf(out, "%s\n\nA driver is named like a setting: --store wal,driver=%s\n\n",
		t.Render(), drivers[len(drivers)-1].Name)
	return nil
}

func listStores(out io.Writer) {
	t := newTable(table.Row{"store", "journal", "synchronous", "readers", "writers", "busy",
		"txlock"}, "readers", "writers")
	for _, v := range sqlite.Variants() {
		t.AppendRow(table.Row{v.Name, v.Journal, v.Synchronous, v.Readers, v.Writers,
			v.BusyTimeout, v.TxLock})
	}
	fmt.Fprintf(out, "%s\n\nA setting is changed by naming it: "+
		"--store wal,synchronous=full,readers=4\n\n", t.Render())
}

func listProfiles(out io.Writer) {
	t := newTable(table.Row{"profile", "clients", "sessions", "keys", "think", "mix", "purpose"},
		"clients", "sessions", "keys")
	for _, p := range workload.Profiles() {
		d := p.Defaults
		t.AppendRow(table.Row{p.Name, d.Clients, d.Sessions, d.Keys, d.Think, d.Mix, p.Purpose})
	}
	fmt.Fprintf(out, "%s\n\n", t.Render())
}

func listProperties(out io.Writer) {
	t := newTable(table.Row{"property", "means"})
	for _, p := range check.Properties() {
		t.AppendRow(table.Row{p, p.Meaning()})
	}
	fmt.Fprintf(out, "%s\n\n", t.Render())
}

func listMutants(out io.Writer) {
	t := newTable(table.Row{"store", "kind", "profile", "caught by", "fault"})
	for _, m := range mutant.Mutants() {
		t.AppendRow(table.Row{mutantPrefix + m.Name, m.Kind, m.Profile, m.CaughtBy, m.Fault})
	}
	fmt.Fprintln(out, t.Render())
}
