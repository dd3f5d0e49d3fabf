package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type manCmd struct{}

func (*manCmd) Help() string {
	return `The page has the help of every command.

Examples:
  pixcert man | man -l -
  pixcert man >/usr/local/share/man/man1/pixcert.1`
}

func (*manCmd) Run(to *console, parsed *kong.Context) error {
	summary, _, _ := strings.Cut(description, "\n")
	fmt.Fprintf(to.data, ".TH PIXCERT 1 \"\" \"pixcert %s\"\n.SH NAME\npixcert \\- %s\n", version(), summary)
	if err := manSection(to.data, "pixcert"); err != nil {
		return err
	}
	for _, command := range parsed.Model.Children {
		if command.Passthrough { // its --help is that of the other program
			continue
		}
		if err := manSection(to.data, "pixcert "+command.Name, command.Name); err != nil {
			return err
		}
	}
	return nil
}

var manEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")

// manSection writes the help of a command as it is: roff would join the lines of examples.
func manSection(w io.Writer, title string, command ...string) error {
	var help bytes.Buffer
	if _, _, err := parse(append(command, "--help"), &help, io.Discard); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, ".SH %q\n.nf\n%s.fi\n", strings.ToUpper(title), manEscapes.Replace(help.String()))
	return err
}
