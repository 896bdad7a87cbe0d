package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event"
)

// ownPlan returns the cup whose plan.json, or folder, a path names; nil if it names another file.
func ownPlan(path string) (*archive.Cup, error) {
	if info, err := os.Stat(path); filepath.Base(path) == "plan.json" {
		path = filepath.Dir(path)
	} else if err != nil || !info.IsDir() {
		return nil, nil
	}
	c, err := archive.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--plan: %w", err)
	}
	return c, nil
}

// takePlan sets the flags that were not given to those with which a cup was played, and returns its
// bots, as the command line named them.
func takePlan(f *pflag.FlagSet, c *archive.Cup) (bots []string, err error) {
	q, origin := c.Plan, c.Origin()
	switch {
	case event.IsEvent(c.Dir):
		return nil, fmt.Errorf("--plan: %s is the folder of an event, which no cup can play", c.Dir)
	case len(q.Seeds) > 0:
		return nil, fmt.Errorf("--plan: %s was played for an exam; give --exam and its file", c.Dir)
	case len(origin.Command) == 0:
		return nil, fmt.Errorf("--plan: %s does not say with which settings it was played: it has no "+
			"file %s, as cups of older versions", c.Dir, archive.OriginFile)
	}
	var wrong []error
	set := func(name, value string) {
		if !f.Changed(name) {
			wrong = append(wrong, f.Set(name, value))
		}
	}
	given := pflag.NewFlagSet("", pflag.ContinueOnError)
	cupScope.Flags(given)
	if err := given.Parse(origin.Settings); err != nil {
		return nil, fmt.Errorf("--plan: %s: %w", filepath.Join(c.Dir, archive.OriginFile), err)
	}
	given.Visit(func(one *pflag.Flag) { set(one.Name, one.Value.String()) })
	set("maps", strings.Join(mapsOf(c.Dir, origin.Maps), ","))
	set("format", string(q.Format))
	set("seats", strconv.Itoa(q.Seats))
	set("seed", strconv.FormatUint(q.Seed, 10))
	if total := q.Count + q.Added; total > 0 {
		set("count", strconv.Itoa(total))
	}
	for _, s := range q.Settings {
		if s.Name == plan.UntilSetting || s.Name == plan.WithinSetting {
			set(s.Name, s.Value)
		}
	}
	if c.Shard != plan.Whole {
		set("shard", c.Shard.String())
	}
	for i := range q.Bots {
		bots = append(bots, q.Bots[i].Seat)
	}
	if t := q.Test; t != nil {
		set("elo0", strconv.FormatFloat(t.NElo0, 'g', -1, 64))
		set("elo1", strconv.FormatFloat(t.NElo1, 'g', -1, 64))
		if len(bots) > 2 {
			set("with", strings.Join(bots[2:], ","))
			bots = bots[:2]
		}
	}
	return bots, errors.Join(wrong...)
}

// mapsOf returns maps by their names, or by their files in the folder of a cup.
func mapsOf(dir string, names []string) (list []string) {
	for _, name := range names {
		if path := cup.MapPath(dir, name); fileExists(path) {
			name = path
		}
		list = append(list, name)
	}
	return list
}
