package main

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/pixcert/pixcert/steps/shell"
)

// ownName is what the user's shell calls pixcert: ./pixcert, unless that is the one in PATH.
func ownName() string {
	called := os.Args[0]
	found, err := exec.LookPath("pixcert")
	if err != nil {
		return called
	}
	inPath, err := os.Stat(found)
	if err != nil {
		return called
	}
	if running, err := os.Stat(called); err == nil && !os.SameFile(inPath, running) {
		return called
	}
	return "pixcert"
}

// commandWriter replaces pixcert in commands by its own name. One place does it, because messages of all packages name
// commands. Output that programs read, such as a baseline, does not pass through it.
type commandWriter struct {
	io.Writer
	own string
}

func (c commandWriter) Write(p []byte) (int, error) {
	text := p
	if c.own != "" && c.own != "pixcert" {
		own := strings.ReplaceAll(shell.Quote(c.own), "$", "$$")
		text = ownCommand().ReplaceAll(p, []byte("${1}"+own+"${2}"))
	}
	if _, err := c.Writer.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// ownCommand matches a command of pixcert that is not called by a path.
var ownCommand = sync.OnceValue(func() *regexp.Regexp {
	var names []string
	for _, command := range kong.Must(&commands{}, kong.Vars{"version": ""}).Model.Children {
		names = append(names, command.Name)
	}
	return regexp.MustCompile(`(^|[^\w./-])pixcert( (?:` + strings.Join(names, "|") + `)\b)`)
})
