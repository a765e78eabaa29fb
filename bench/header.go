package bench

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"memrace/store"
)

// Setting is a line that stands before the first line of a file: "fs: ext4".
type Setting = store.Setting

// Header returns what is to be known of a measurement, for Write: of the machine, the program, the
// disk and the stores, each of which is described by the description at its place. Each name stands
// once, since lines below different settings are not compared with each other; where stores differ
// the value says so: "wal (wal, wal-pool), delete (shared)".
func Header(subjects []Subject, about []store.Description, disk Disk, c Config) []Setting {
	header := []Setting{{Name: "machine", Value: machine()}, {Name: "go", Value: runtime.Version()}}
	header = append(header, program()...)
	if disk.FS != "" {
		header = append(header, Setting{Name: "fs", Value: disk.FS})
	}
	header = append(header,
		Setting{Name: "fsync-p50-ns", Value: strconv.FormatInt(disk.Fsync.Nanoseconds(), 10)})
	header = append(header, settings(subjects, about)...)
	if !c.Faults.None() {
		header = append(header, Setting{Name: "faults", Value: c.Faults.String()})
	}
	return append(header, Setting{Name: "turn", Value: fmt.Sprintf(
		"%v after %v, %d sessions, %d keys, %d B, seed %d", c.For, c.WarmUp, c.Sessions, c.Keys,
		c.ValueSize, c.Seed)})
}

func machine() string {
	text := fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if model := processor(); model != "" {
		text += ", " + model
	}
	return text
}

// processor is the name of the processor where the system has it in a file, or "".
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// program says which commit the program was built of, if that is known, and that it was built with
// the race detector, which makes it slow.
func program() (header []Setting) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	value := map[string]string{}
	for _, s := range info.Settings {
		value[s.Key] = s.Value
	}
	if commit := value["vcs.revision"]; commit != "" {
		if value["vcs.modified"] == "true" {
			commit += " and changes"
		}
		header = append(header, Setting{Name: "commit", Value: commit})
	}
	if value["-race"] == "true" {
		header = append(header, Setting{Name: "race-detector", Value: "on"})
	}
	return header
}

// headerNames are the settings of stores that go by another name in a header.
var headerNames = map[string]string{"sqlite": "sqlite-version", "warning": "sqlite-warning"}

// settings are those of all stores, in the order in which the first to have one has it.
func settings(subjects []Subject, about []store.Description) (header []Setting) {
	var names []string
	for _, d := range about {
		for _, s := range d.Settings {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	for _, name := range names {
		shown := headerNames[name]
		if shown == "" {
			shown = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		}
		header = append(header, Setting{Name: shown, Value: valueOf(name, subjects, about)})
	}
	return header
}

// valueOf is the value of a setting, and of which stores it is where not all have the same.
func valueOf(name string, subjects []Subject, about []store.Description) string {
	var values []string
	has, holders := map[string][]string{}, 0
	for i, d := range about {
		for _, s := range d.Settings {
			if s.Name != name {
				continue
			}
			holders++
			if !slices.Contains(values, s.Value) {
				values = append(values, s.Value)
			}
			if !slices.Contains(has[s.Value], subjects[i].Store) {
				has[s.Value] = append(has[s.Value], subjects[i].Store)
			}
		}
	}
	if len(values) == 1 && holders == len(about) {
		return values[0]
	}
	for i, v := range values {
		values[i] = fmt.Sprintf("%s (%s)", v, strings.Join(has[v], ", "))
	}
	return strings.Join(values, ", ")
}
