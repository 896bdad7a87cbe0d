package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/servertest"
)

// standInLog is the variable with the name of the file to which the stand-in for a container
// runtime appends its command lines, as JSON.
const standInLog = "STAND_IN_LOG"

// standInRuntime does what podman does for hexarena, without a container: it runs the program on
// this machine, with the variables that it was given, and with the names that files have here.
func standInRuntime() {
	args := os.Args[1:]
	note, _ := json.Marshal(args)
	f, err := os.OpenFile(os.Getenv(standInLog), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "%s\n", note)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	switch args[0] {
	case "info":
		fmt.Println("9.9 true v2 [cpu memory pids]")
	case "image":
		if strings.HasSuffix(args[len(args)-1], "missing") {
			os.Exit(1)
		}
	case "run":
		os.Exit(standInRun(args[1:]))
	}
}

// standInRun runs the program of a container, whose command line is that of podman run.
func standInRun(args []string) int {
	env := []string{"PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	var names []string // in a container, and here
	entry := ""
	for ; strings.HasPrefix(args[0], "--"); args = args[1:] {
		if slices.Contains([]string{"--rm", "--read-only", "--interactive"}, args[0]) {
			continue
		}
		name, value := args[0], args[1]
		args = args[1:]
		switch name {
		case "--mount":
			source, target, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(value, "type=bind,source="), ",readonly"), ",target=")
			names = append(names, target, source)
		case "--env":
			if !strings.Contains(value, "=") {
				value += "=" + os.Getenv(value)
			}
			env = append(env, value)
		case "--entrypoint":
			entry = value
		}
	}
	// All containers have the same port, and here there is one network.
	port, err := servertest.FreePort()
	if err != nil {
		return 125
	}
	names = append(names, "4242", strconv.Itoa(port))
	here := strings.NewReplacer(names...)
	var task map[string]any
	if err := json.Unmarshal([]byte(here.Replace(args[2])), &task); err != nil {
		return 125
	}
	delete(task, "Dir") // which only a container has
	text, _ := json.Marshal(task)
	cmd := exec.Command(here.Replace(entry), args[1], string(text))
	for _, entry := range env {
		cmd.Env = append(cmd.Env, here.Replace(entry))
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 126
	}
	return cmd.ProcessState.ExitCode()
}
