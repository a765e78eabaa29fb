package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setting is one field of a Variant that can be changed from text.
type setting struct {
	name string
	get  func(Variant) string
	set  func(*Variant, string) error
}

// settings are in the order in which String prints them.
var settings = []setting{
	{"journal", func(v Variant) string { return v.Journal },
		func(v *Variant, text string) error { v.Journal = text; return nil }},
	{"synchronous", func(v Variant) string { return v.Synchronous },
		func(v *Variant, text string) error { v.Synchronous = text; return nil }},
	{"readers", func(v Variant) string { return strconv.Itoa(v.Readers) },
		func(v *Variant, text string) error { return setInt(&v.Readers, text, maxConnections) }},
	{"writers", func(v Variant) string { return strconv.Itoa(v.Writers) },
		func(v *Variant, text string) error { return setInt(&v.Writers, text, maxConnections) }},
	{"busy", func(v Variant) string { return v.BusyTimeout.String() },
		func(v *Variant, text string) error {
			return setDuration(&v.BusyTimeout, text, maxBusyTimeout)
		}},
	{"txlock", func(v Variant) string { return v.TxLock },
		func(v *Variant, text string) error { v.TxLock = text; return nil }},
	{"batch", func(v Variant) string { return strconv.Itoa(v.Batch) },
		func(v *Variant, text string) error { return setInt(&v.Batch, text, maxBatch) }},
	{"delay", func(v Variant) string { return v.Delay.String() },
		func(v *Variant, text string) error { return setDuration(&v.Delay, text, maxDelay) }},
	{"commits", func(v Variant) string { return onOff(v.Commits) },
		func(v *Variant, text string) error { return setOnOff(&v.Commits, text) }},
	{"disk", func(v Variant) string { return onOff(v.Disk) },
		func(v *Variant, text string) error { return setOnOff(&v.Disk, text) }},
	{"driver", func(v Variant) string { return cmp.Or(v.Driver, DefaultDriver) }, setDriver},
}

// setDriver leaves no name for the default, so that variants are the same if they are equal.
func setDriver(v *Variant, text string) error {
	if text == "" {
		return errors.New("it has no name")
	}
	if v.Driver = text; text == DefaultDriver {
		v.Driver = ""
	}
	return nil
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func setOnOff(field *bool, text string) error {
	if text != "on" && text != "off" {
		return fmt.Errorf("%q is neither on nor off", text)
	}
	*field = text == "on"
	return nil
}

func setInt(field *int, text string, most int) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%q is not a whole number up to %d", text, most)
	}
	*field = n
	return nil
}

func setDuration(field *time.Duration, text string, most time.Duration) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 250ms or 10s, up to %v",
			text, most)
	}
	*field = d
	return nil
}

// String returns the variant's name and, behind it, each setting that differs from the named
// variant: "wal,synchronous=full,readers=4". ParseVariant reads it back.
func (v Variant) String() string {
	base, _ := named(v.Name)
	parts := []string{v.Name}
	for _, s := range settings {
		if now := s.get(v); now != s.get(base) {
			parts = append(parts, s.name+"="+now)
		}
	}
	return strings.Join(parts, ",")
}

// ParseVariant reads the name of a variant and the settings that are to differ from it, as
// String prints them. An error names what is wrong and says what would be right; so does the
// error for settings that make no sense together.
func ParseVariant(text string) (Variant, error) {
	name, rest, more := strings.Cut(text, ",")
	v, err := named(name)
	if err != nil {
		return Variant{}, fmt.Errorf("variant %q: %w", text, err)
	}
	if more {
		if err := v.change(strings.Split(rest, ",")); err != nil {
			return Variant{}, fmt.Errorf("variant %q: %w", text, err)
		}
	}
	if err := v.Validate(); err != nil {
		return Variant{}, fmt.Errorf("variant %q: %w", text, err)
	}
	return v, nil
}

func (v *Variant) change(parts []string) error {
	seen := map[string]bool{}
	for _, part := range parts {
		name, value, ok := strings.Cut(part, "=")
		i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
		switch {
		case !ok:
			return fmt.Errorf("%q is no setting=value; the settings are %s",
				part, settingNames())
		case i < 0:
			return fmt.Errorf("no setting is called %q; there are %s", name, settingNames())
		case seen[name]:
			return fmt.Errorf("%s is set twice", name)
		}
		seen[name] = true
		if err := settings[i].set(v, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func settingNames() string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.name
	}
	return strings.Join(names, ", ")
}
