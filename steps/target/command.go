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

// command is a program that runs calls of test controls, each in its own process: PROGRAM
// ARGUMENTS... CONTROL METHOD PATH, with the body on standard input. Calls may run concurrently.
type command struct {
	program   []string // with its arguments
	directory string   // working directory; the current one if empty
	identity  Identity
	deadline  time.Duration
	longest   int64 // bytes of standard output and of standard error, each
}

func newCommand(p Profile, id Identity) *command {
	return &command{p.Control.Command, p.Control.Directory, id, p.Deadlines.Control, p.maxBody}
}

// exits maps the exit statuses of the protocol to HTTP statuses. Any other means that the command
// failed.
var exits = map[int]int{
	0:  http.StatusOK,
	40: http.StatusBadRequest,
	44: http.StatusNotFound,
	49: http.StatusConflict,
	51: http.StatusNotImplemented,
}

// lingering is how long to wait for output after a program has exited: a process that it left
// behind may keep it open.
const lingering = time.Second

func (c *command) send(ctx context.Context, call Request) exchange.Exchange {
	e := exchange.Exchange{
		Party: call.Party, Operation: call.Operation, Method: call.Method, URL: call.Path, Body: call.Body,
		Command: exchange.Command{Program: slices.Concat(c.program, []string{call.Operation, call.Method, call.Path}), Exit: -1},
	}
	bounded, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	bounded, cancel := context.WithTimeoutCause(bounded, c.deadline, fmt.Errorf("timed out after %s", c.deadline))
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
		e.Err = "pixcert stopped waiting: " + context.Cause(ctx).Error()
	case state == nil:
		e.Err = unstarted + ": " + c.missing(err).Error()
	case bounded.Err() != nil:
		e.Err = context.Cause(bounded).Error() + stderr.last()
	default:
		e.Err = "the command was killed by a signal: " + strings.TrimPrefix(state.String(), "signal: ") + stderr.last()
	}
	e.ResponseBody = stdout.kept.Bytes()
	if e.Exit != 0 && stderr.kept.Len() > 0 {
		e.ResponseBody = stderr.kept.Bytes()
	}
	return e.Arrived()
}

const unstarted = "cannot start the command"

// missing returns why a program could not be started: if its directory is missing, the system
// blames the program.
func (c *command) missing(err error) error {
	if _, gone := os.Stat(c.directory); c.directory != "" && gone != nil {
		return gone
	}
	return err
}

// String omits the arguments, which may contain secrets from the profile.
func (c *command) String() string { return fmt.Sprintf("the control command %q", c.program[0]) }

func (c *command) refusal(e exchange.Exchange) error {
	const byHand = "to find out why, run it in a shell with its arguments followed by controls GET /controls"
	switch {
	case strings.HasPrefix(e.Err, unstarted):
		return fmt.Errorf("%s does not work: %s; correct controls.command in the profile, or make the program executable", c, exchange.Line(e.Err))
	case e.Status == 0:
		return fmt.Errorf("%s failed at controls GET /controls: %s; %s", c, exchange.Line(e.Err), byHand)
	case e.Exit != 0:
		return fmt.Errorf("%s: controls GET /controls: expected exit status 0, got %d: %s; %s", c, e.Exit, messageOf(e), byHand)
	default:
		return fmt.Errorf(`%s: controls GET /controls: expected JSON such as {"protocol": 1, "controls": ["funds"]}, got %s; %s`,
			c, written(e.ResponseBody), byHand)
	}
}

// output keeps the first bytes that a program writes, and stops a program that writes more.
type output struct {
	kept    bytes.Buffer
	longest int64
	stop    context.CancelCauseFunc
	full    bool
}

var errEndless = errors.New("the command wrote too much output")

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

// written describes the output of a program.
func written(text []byte) string {
	if len(bytes.TrimSpace(text)) == 0 {
		return "nothing"
	}
	return excerpt(text)
}

// last describes the last line on standard error; empty if there is none.
func (o *output) last() string {
	if line := lastLine(o.kept.Bytes()); len(line) > 0 {
		return "; last line on standard error: " + excerpt(line)
	}
	return ""
}

// lastLine returns the last line, where failing programs usually say why.
func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}
