//go:build !unix

package command

import "os/exec"

// separate does nothing: on Windows, Ctrl+C reaches every process of a console.
func separate(*exec.Cmd) {}

func interrupt(*exec.Cmd) {}
