package main

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"

	"github.com/hexarena/hexarena/config"
)

// proxiesOf returns the proxies that are trusted, which the settings' check has parsed before.
func proxiesOf(c config.Config) []netip.Prefix {
	list, _ := config.ParseNetworks(c.TrustedProxies)
	return list
}

// hosts returns the names of the pages that --url adds.
func (o *eventOptions) hosts() []string {
	at, err := url.Parse(o.url)
	if err != nil || at.Hostname() == "" {
		return nil
	}
	return []string{at.Hostname()}
}

// checkPlaces returns the mistakes in --url and --binaries.
func (o *eventOptions) checkPlaces() error {
	return errors.Join(o.checkURL(), o.checkBinaries())
}

func (o *eventOptions) checkURL() error {
	if o.url == "" {
		return nil
	}
	at, err := url.Parse(o.url)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "" ||
		at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return fmt.Errorf("--url %s: want the address of the pages, such as http://arena.example "+
			"or https://school.example/arena", o.url)
	}
	return nil
}

func (o *eventOptions) checkBinaries() error {
	if o.binaries == "" {
		return nil
	}
	info, err := os.Stat(o.binaries)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return fmt.Errorf("--binaries %s: want a folder with the programs or archives of a release: %w", o.binaries, err)
	}
	return nil
}
