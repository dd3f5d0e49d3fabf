package main

import (
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// configurable are the commands that run in containers. Other commands have flags of the same name and another meaning.
var configurable = []string{"certify", "health", "plan", "serve"}

// fromEnvironment returns the value of a flag that is not among the arguments: --control-url is PIXCERT_CONTROL_URL.
// An empty variable counts as not set, because compose files often have one for each optional setting.
func fromEnvironment(_ *kong.Context, path *kong.Path, flag *kong.Flag) (any, error) {
	if !slices.Contains(configurable, path.Node().Name) {
		return nil, nil
	}
	if value := os.Getenv(variableOf(flag.Name)); value != "" {
		return value, nil
	}
	return nil, nil
}

func variableOf(flag string) string {
	return "PIXCERT_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
