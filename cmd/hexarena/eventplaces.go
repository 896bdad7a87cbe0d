package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/hexarena/hexarena/server/event"
)

// folderOfEvent returns the folder of an event that a command line names, or the usual one.
func folderOfEvent(args []string) (dir string, err error) {
	dir = eventDir
	if len(args) > 0 {
		dir = args[0]
	}
	if !event.IsEvent(dir) {
		err = usageErrorf("there is no event in the folder %s: name the folder of one", dir)
	}
	return dir, err
}

// hostsOf returns the names of the pages that the setting --url adds.
func hostsOf(address string) []string {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" {
		return nil
	}
	return []string{at.Hostname()}
}

func checkURL(address string) error {
	if address == "" {
		return nil
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "" ||
		at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return fmt.Errorf("--url %s: want the address of the pages, such as http://arena.example "+
			"or https://school.example/arena", address)
	}
	return nil
}

func checkBinaries(binaries string) error {
	if binaries == "" {
		return nil
	}
	info, err := os.Stat(binaries)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return fmt.Errorf("--binaries %s: want a folder with the programs or archives of a release: %w",
			binaries, err)
	}
	return nil
}
