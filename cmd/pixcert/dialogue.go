package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/muesli/cancelreader"

	"github.com/pixcert/pixcert/steps/profile/setup"
)

// dialogue asks a person at a terminal.
type dialogue struct {
	in    cancelreader.CancelReader
	lines *bufio.Scanner
	out   io.Writer
	stop  func() bool
}

// openDialogue reads answers from in until ctx ends.
func openDialogue(ctx context.Context, in io.Reader, out io.Writer) (*dialogue, error) {
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("reading from the terminal: %w; pass the values as flags", err)
	}
	return &dialogue{in: reader, lines: bufio.NewScanner(reader), out: out, stop: context.AfterFunc(ctx, func() { reader.Cancel() })}, nil
}

func (d *dialogue) close() {
	d.stop()
	_ = d.in.Close() // reading is over
}

// ask prompts until the answer is valid.
func (d *dialogue) ask(ctx context.Context, q question) (string, error) {
	for {
		fmt.Fprint(d.out, q.prompt)
		if q.standard != "" {
			fmt.Fprintf(d.out, " [%s]", q.standard)
		}
		fmt.Fprint(d.out, ": ")
		if !d.lines.Scan() {
			fmt.Fprintln(d.out)
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", fmt.Errorf("input ended before the answer to %q; pass %s", q.prompt, q.flag)
		}
		answer := strings.TrimSpace(d.lines.Text())
		if answer == "" {
			answer = q.standard
		}
		var tried setup.Setup
		err := q.apply(&tried, answer)
		if err == nil {
			return answer, nil
		}
		fmt.Fprintf(d.out, "  %v\n", err)
	}
}
