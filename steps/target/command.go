package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// command is a program that carries out calls of test controls, each in a process of
// its own: PROGRAM ARGUMENTS... CONTROL METHOD PATH, with the body on standard input.
// Any number of them may run at once.
type command struct {
	program   []string // with its arguments
	directory string   // in which it runs; the current one if empty
	identity  Identity
	deadline  time.Duration
	longest   int64 // bytes of standard output and of standard error, each
}

func newCommand(p Profile, id Identity) *command {
	return &command{p.Control.Command, p.Control.Directory, id, p.Deadlines.Control, p.MaxBody}
}

// exits are the exit statuses by which a command answers, with what each is over HTTP.
// Any other says that the command failed.
var exits = map[int]int{
	0:  http.StatusOK,
	40: http.StatusBadRequest,
	44: http.StatusNotFound,
	49: http.StatusConflict,
	51: http.StatusNotImplemented,
}

// lingering is how long after a program's end its output is waited for: a process that
// it left behind may hold it open.
const lingering = time.Second

func (c *command) send(ctx context.Context, call Request) exchange.Exchange {
	e := exchange.Exchange{
		Party: call.Party, Operation: call.Operation, Method: call.Method, URL: call.Path, Body: call.Body,
		Program: slices.Concat(c.program, []string{call.Operation, call.Method, call.Path}),
		Exit:    -1,
	}
	bounded, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	bounded, cancel := context.WithTimeoutCause(bounded, c.deadline, fmt.Errorf("no answer came within %s", c.deadline))
	defer cancel()
	stdout, stderr := &output{longest: c.longest, stop: stop}, &output{longest: c.longest, stop: stop}
	process := exec.CommandContext(bounded, e.Program[0], e.Program[1:]...)
	process.Dir = c.directory
	process.Env = append(process.Environ(), "PIXCERT_USER_AGENT="+c.identity.agent(call.Rule))
	process.Stdin, process.Stdout, process.Stderr = bytes.NewReader(call.Body), stdout, stderr
	process.WaitDelay = lingering

	e.Sent = time.Now()
	err := runGroup(process)
	e.Took = time.Since(e.Sent)
	e.Truncated = stdout.full || stderr.full
	state := process.ProcessState
	switch {
	case state != nil && state.Exited() && !e.Truncated:
		e.Exit = state.ExitCode()
		e.Status = http.StatusInternalServerError
		if status, known := exits[e.Exit]; known {
			e.Status = status
		}
	case ctx.Err() != nil:
		e.Err = "the suite stopped waiting: " + context.Cause(ctx).Error()
	case state == nil:
		e.Err = unstarted + ": " + c.missing(err).Error()
	case bounded.Err() != nil:
		e.Err = context.Cause(bounded).Error() + stderr.last()
	default:
		e.Err = "a signal ended the command: " + strings.TrimPrefix(state.String(), "signal: ") + stderr.last()
	}
	e.ResponseBody = stdout.kept.Bytes()
	if e.Exit != 0 && stderr.kept.Len() > 0 {
		e.ResponseBody = stderr.kept.Bytes()
	}
	return e.Arrived()
}

const unstarted = "the command cannot be started"

// missing is why a program could not be started: where its directory is not there, the
// system says so of the program.
func (c *command) missing(err error) error {
	if _, gone := os.Stat(c.directory); c.directory != "" && gone != nil {
		return gone
	}
	return err
}

// String leaves the arguments out: a profile may have put a secret into one.
func (c *command) String() string { return fmt.Sprintf("the control command %q", c.program[0]) }

func (c *command) refusal(e exchange.Exchange) error {
	const byHand = "to see why, run it in a shell with its arguments and controls GET /controls"
	switch {
	case strings.HasPrefix(e.Err, unstarted):
		return fmt.Errorf("%s is of no use: %s; correct the profile's command, or make the program one that may be executed", c, exchange.Line(e.Err))
	case e.Status == 0:
		return fmt.Errorf("%s gives no answer to controls GET /controls: %s; %s", c, exchange.Line(e.Err), byHand)
	case e.Exit != 0:
		return fmt.Errorf("%s should have answered controls GET /controls with exit status 0 but ended with %d: %s; %s", c, e.Exit, messageOf(e), byHand)
	default:
		return fmt.Errorf(`%s should have answered controls GET /controls with JSON such as {"protocol": 1, "controls": ["funds"]} but wrote %s; %s`,
			c, written(e.ResponseBody), byHand)
	}
}

// output keeps the first bytes that a program writes and stops one that writes more.
type output struct {
	kept    bytes.Buffer
	longest int64
	stop    context.CancelCauseFunc
	full    bool
}

var errEndless = errors.New("the command wrote more than the suite reads")

func (o *output) Write(p []byte) (int, error) {
	room := int(o.longest) - o.kept.Len()
	if len(p) <= room {
		return o.kept.Write(p)
	}
	o.full = true
	o.stop(errEndless)
	n, _ := o.kept.Write(p[:room]) // never fails
	return n, errEndless
}

// written is what a program wrote, for a sentence.
func written(text []byte) string {
	if len(bytes.TrimSpace(text)) == 0 {
		return "nothing"
	}
	return excerpt(text)
}

// last is what a program said last on standard error, as the end of a sentence; empty
// if it said nothing.
func (o *output) last() string {
	if line := lastLine(o.kept.Bytes()); len(line) > 0 {
		return "; on standard error it last wrote: " + excerpt(line)
	}
	return ""
}

// lastLine is where programs that fail say why.
func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}
