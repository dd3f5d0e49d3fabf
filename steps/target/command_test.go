package target

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// acts are the programs that the test binary is when it is run as a command: each gets
// the arguments after its name and returns the exit status.
var acts = map[string]func(args []string) int{
	"act-tells":   tells,
	"act-offers":  offers,
	"act-exits":   func(args []string) int { return say(args[1], args[2], atoi(args[0])) },
	"act-hangs":   func([]string) int { say("", "connecting\n", 0); return hang() },
	"act-crashes": func([]string) int { say("", "out of cheese\n", 0); return crash() },
	"act-floods": func(args []string) int {
		return flood(map[string]*os.File{"out": os.Stdout, "err": os.Stderr}[args[0]])
	},
	"act-waits":    func(args []string) int { return waitFor(args[0], func() {}) },
	"act-leaves":   leaves,
	"act-is-stuck": func(args []string) int { leaves(args); return hang() },
}

// tells answers with what it was given.
func tells(args []string) int {
	stdin, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	_ = json.NewEncoder(os.Stdout).Encode(reported{Args: args, Stdin: string(stdin), Agent: os.Getenv("PIXCERT_USER_AGENT"), Dir: dir, Home: os.Getenv("HOME")})
	return 0
}

type reported struct {
	Args                    []string
	Stdin, Agent, Dir, Home string
	Splits                  [0]string `json:"splits"` // of the control splits
}

// offers names the controls of its first argument, and carries them out by doing nothing.
func offers(args []string) int {
	if args[1] == "controls" {
		fmt.Printf(`{"protocol":1,"controls":[%s]}`, args[0])
	}
	return 0
}

func say(stdout, stderr string, status int) int {
	_, _ = io.WriteString(os.Stdout, stdout)
	_, _ = io.WriteString(os.Stderr, stderr)
	return status
}

func hang() int {
	time.Sleep(time.Hour)
	return 0
}

func crash() int {
	self, _ := os.FindProcess(os.Getpid())
	_ = self.Kill()
	return hang()
}

func flood(out *os.File) int {
	some := []byte(strings.Repeat("a", 1000))
	for {
		_, _ = out.Write(some) // heedless of errors
	}
}

// waitFor connects to an address, does something, and waits until the other side closes.
func waitFor(address string, do func()) int {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return say("", err.Error(), 1)
	}
	do()
	_, _ = io.Copy(io.Discard, conn)
	return 0
}

// leaves starts a process that keeps standard output open and waits for an address:
// args are the address and the program by which it is started, if any.
func leaves(args []string) int {
	words := append(strings.Fields(args[1]), os.Args[0], "act-waits", args[0])
	child := exec.Command(words[0], words[1:]...)
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		return say("", err.Error(), 1)
	}
	return say("{}", "", 0)
}

func atoi(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}

// byCommand is a target with every control by a command that acts so.
func byCommand(t *testing.T, p Profile, act ...string) (*Controls, *[]exchange.Exchange) {
	p.BaseURL, p.Control = "http://127.0.0.1:1", &ControlAccess{Command: append([]string{os.Args[0]}, act...)}
	target := open(t, p)
	way := newCommand(target.Profile, Identity{Version: "1.2", RunID: "r1"})
	for _, control := range []Control{Accounts, Funds, Directory, Settlement, Splits} {
		target.ways[control] = way
	}
	var recorded []exchange.Exchange
	return target.Controls("a.b", func(e exchange.Exchange) int {
		recorded = append(recorded, e)
		return len(recorded) + 40
	}), &recorded
}

func TestCommandIsGivenTheCall(t *testing.T) {
	t.Parallel()
	for want, call := range map[string]func(context.Context, *Controls) error{
		`funds PUT /accounts/7/balance {"available":"100.00"}`: func(ctx context.Context, c *Controls) error { return c.SetBalance(ctx, 7, "100.00") },
		`accounts DELETE /accounts/7 `:                         func(ctx context.Context, c *Controls) error { return c.RemoveAccount(ctx, 7) },
		`splits GET /accounts/7/splits?transactionId=a%26b `: func(ctx context.Context, c *Controls) error {
			return c.ShowSplits(ctx, 7, "a&b")
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			controls, recorded := byCommand(t, Profile{}, "act-tells", "an argument's")
			require.NoError(t, call(background(), controls))
			e := (*recorded)[0]
			var came reported
			require.NoError(t, json.Unmarshal(e.ResponseBody, &came))
			require.Len(t, came.Args, 4)
			assert.Equal(t, "an argument's", came.Args[0])
			assert.Equal(t, want, strings.Join(came.Args[1:], " ")+" "+came.Stdin)
			assert.Equal(t, "pixcert/1.2 run=r1 rule=a.b", came.Agent)
			assert.Equal(t, os.Getenv("HOME"), came.Home, "the environment is passed on")
			assert.Equal(t, append([]string{os.Args[0], "act-tells", "an argument's"}, came.Args[1:]...), e.Program)
			assert.Equal(t, exchange.Control, e.Party)
			assert.Equal(t, 200, e.Status)
			assert.Zero(t, e.Exit)
			assert.False(t, e.Sent.IsZero())
			assert.Positive(t, e.Took)
		})
	}
}

func TestCommandRunsInItsDirectory(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "adapter")))
	p := Profile{BaseURL: "http://x", Control: &ControlAccess{Command: []string{"./adapter", "act-tells"}, Directory: dir}}
	e := newCommand(p.withDefaults(), Identity{}).send(background(), Request{Operation: "funds", Method: "PUT", Path: "/x"})
	require.Empty(t, e.Err)
	var came reported
	require.NoError(t, json.Unmarshal(e.ResponseBody, &came))
	assert.Equal(t, dir, came.Dir)
}

func TestCommandAnswersByExitStatus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		exit, stdout, stderr string
		want                 error
		says                 string
	}{
		"success":         {exit: "0", stdout: `{"id":5}`, stderr: "a warning"},
		"no JSON":         {exit: "0", stdout: "oops", want: &ControlError{MED, 200, 0, "expected the JSON that the protocol defines, got oops: invalid character 'o' looking for beginning of value", 41}},
		"nothing":         {exit: "0", want: &ControlError{MED, 200, 0, "expected the JSON that the protocol defines, got an empty body: EOF", 41}},
		"senseless":       {exit: "40", stderr: "no such reason\n", want: &ControlError{MED, 400, 40, "no such reason", 41}},
		"unknown id":      {exit: "44", stderr: "trying\nno account\x1b 7\n", want: &ControlError{MED, 404, 44, `no account\x1b 7`, 41}, says: `the test control "med": expected exit status 0, got 44: no account\x1b 7`},
		"JSON message":    {exit: "44", stderr: `{"message":"no account"}`, want: &ControlError{MED, 404, 44, "no account", 41}},
		"on stdout":       {exit: "44", stdout: `{"message":"no account"}`, want: &ControlError{MED, 404, 44, "no account", 41}},
		"finished":        {exit: "49", stderr: "moved already", want: &ControlError{MED, 409, 49, "moved already", 41}},
		"not implemented": {exit: "51", stderr: "later", want: &Missing{MED}},
		"exception":       {exit: "1", stdout: "{", stderr: "Traceback\n  line 3\nKeyError: 'x'\n\n", want: &ControlError{MED, 500, 1, "KeyError: 'x'", 41}},
		"silent":          {exit: "127", want: &ControlError{MED, 500, 127, "no message on standard error", 41}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			controls, _ := byCommand(t, Profile{}, "act-exits", c.exit, c.stdout, c.stderr)
			controls.target.ways[MED] = controls.target.ways[Funds]
			_, err := controls.OpenMED(background(), 7, "E1")
			assert.Equal(t, c.want, err)
			if c.says != "" {
				assert.EqualError(t, err, c.says)
			}
			assert.Equal(t, c.exit == "49", IsFinished(err))
			assert.Equal(t, c.exit == "40", IsRefused(err))
		})
	}
}

// What a command can do wrong, and what comes of each.
func TestCommandMayMisbehave(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"), 0o600))
	self := os.Args[0]
	for name, c := range map[string]struct {
		program   []string
		directory string
		err, body string
		truncated bool
	}{
		"hangs":                  {program: []string{self, "act-hangs"}, err: "timed out after 2s"},
		"crashes":                {program: []string{self, "act-crashes"}, err: "the command was killed by a signal: killed; last line on standard error: out of cheese", body: "out of cheese\n"},
		"writes without end":     {program: []string{self, "act-floods", "out"}, err: "the command wrote too much output", body: strings.Repeat("a", 1500), truncated: true},
		"complains without end":  {program: []string{self, "act-floods", "err"}, err: "the command wrote too much output", body: strings.Repeat("a", 1500), truncated: true},
		"is not there":           {program: []string{"no-such-program"}, err: `cannot start the command: exec: "no-such-program": executable file not found in $PATH`},
		"is no file":             {program: []string{"./no-such-file"}, err: "cannot start the command: "},
		"may not be executed":    {program: []string{script}, err: "permission denied"},
		"has no directory":       {program: []string{self}, directory: "/no/such/directory", err: "/no/such/directory"},
		"has a NUL in its words": {program: []string{self, "\x00"}, err: "cannot start the command: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Profile{BaseURL: "http://x", maxBody: 1500, Control: &ControlAccess{Command: c.program, Directory: c.directory}}
			if strings.Contains(c.err, " 2s") {
				p.Deadlines = soon
			}
			e := newCommand(p.withDefaults(), Identity{}).send(background(), Request{Operation: "funds", Method: "PUT", Path: "/x", Body: []byte("{}")})
			assert.Contains(t, e.Err, c.err)
			assert.Zero(t, e.Status)
			assert.Equal(t, -1, e.Exit)
			assert.Equal(t, c.truncated, e.Truncated)
			assert.True(t, strings.HasPrefix(string(e.ResponseBody), c.body), "%.200s", e.ResponseBody)
			assert.LessOrEqual(t, len(e.ResponseBody), 1500)
		})
	}
}

func TestCommandEndsWithItsCallerAndTakesItsProcessesAlong(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(background())
	defer cancel()
	address, arrived := meet(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		left := <-arrived
		cancel()
		awaitEnd(t, left)
	}()
	controls, recorded := byCommand(t, Profile{Deadlines: Deadlines{Control: time.Minute}}, "act-is-stuck", address, "")
	require.ErrorContains(t, controls.SetBalance(ctx, 7, "1.00"), "pixcert stopped waiting: context canceled")
	assert.Zero(t, (*recorded)[0].Status)
	<-ended
}

// A process that the program leaves behind may hold its output open: that costs a
// moment, but neither the call nor, in the program's group, the process goes on.
func TestCommandMayLeaveAProcessBehind(t *testing.T) {
	t.Parallel()
	address, arrived := meet(t)
	controls, recorded := byCommand(t, Profile{Deadlines: Deadlines{Control: time.Minute}}, "act-leaves", address, "")
	require.NoError(t, controls.SetBalance(background(), 7, "1.00"))
	assert.Equal(t, "{}", string((*recorded)[0].ResponseBody))
	assert.Less(t, (*recorded)[0].Took, 30*time.Second)
	awaitEnd(t, <-arrived)
}

// A process that has put itself into a session of its own lives on, as a service that
// an adapter starts would.
func TestCommandMayStartAService(t *testing.T) {
	t.Parallel()
	setsid, err := exec.LookPath("setsid")
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "setsid is not installed")
		t.Skip("setsid is not installed")
	}
	address, arrived := meet(t)
	controls, _ := byCommand(t, Profile{Deadlines: Deadlines{Control: time.Minute}}, "act-leaves", address, setsid)
	require.NoError(t, controls.SetBalance(background(), 7, "1.00"))
	service := <-arrived
	require.NoError(t, service.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err = service.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded, "it is still there")
	require.NoError(t, service.Close()) // which it waits for
}

func TestCommandsRunAtOnce(t *testing.T) {
	t.Parallel()
	const together = 8
	address, arrived := meet(t)
	var wait sync.WaitGroup
	for range together {
		wait.Go(func() {
			controls, _ := byCommand(t, Profile{Deadlines: Deadlines{Control: time.Minute}}, "act-waits", address)
			assert.NoError(t, controls.SetBalance(background(), 7, "1.00"))
		})
	}
	var all []net.Conn
	for range together {
		all = append(all, <-arrived) // each waits until it is released
	}
	for _, conn := range all {
		conn.Close()
	}
	wait.Wait()
}

// meet listens for processes that connect, until the test ends.
func meet(t *testing.T) (address string, arrived <-chan net.Conn) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	conns := make(chan net.Conn, 16)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conns <- conn
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr().String(), conns
}

// awaitEnd waits for the end of the process that holds the other end.
func awaitEnd(t *testing.T, conn net.Conn) {
	defer conn.Close()
	assert.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err := conn.Read(make([]byte, 1))
	assert.Error(t, err)
	assert.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the process still runs")
}

func TestOpenDiscoversControlsByCommand(t *testing.T) {
	t.Parallel()
	api := serve(t, answers(401, "application/json", problem))
	for name, c := range map[string]struct {
		command []string
		names   []string
		err     string
	}{
		"two":          {command: []string{"act-offers", `"funds","clock"`}, names: []string{"clock", "funds"}},
		"none":         {command: []string{"act-offers", ""}},
		"protocol 2":   {command: []string{"act-exits", "0", `{"protocol":2}`, ""}, err: `expected protocol 1, got protocol 2`},
		"garbage":      {command: []string{"act-exits", "0", "hello\n", ""}, err: `controls GET /controls: expected JSON such as {"protocol": 1, "controls": ["funds"]}, got hello; to find out why, run it in a shell with its arguments followed by controls GET /controls`},
		"nothing":      {command: []string{"act-exits", "0", "", ""}, err: "got nothing; to find out why"},
		"fails":        {command: []string{"act-exits", "2", "", "usage: adapter\n"}, err: "controls GET /controls: expected exit status 0, got 2: usage: adapter; to find out why, run it in a shell"},
		"knows none":   {command: []string{"act-exits", "51", "", "what?"}, err: "got 51: what?"},
		"crashes":      {command: []string{"act-crashes"}, err: "failed at controls GET /controls: the command was killed by a signal: killed"},
		"hangs":        {command: []string{"act-hangs"}, err: "failed at controls GET /controls: timed out after 2s"},
		"is not there": {command: nil, err: `the control command "no-such-program" does not work: cannot start the command: exec: "no-such-program": executable file not found in $PATH; correct controls.command in the profile`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Profile{BaseURL: api, Control: &ControlAccess{Command: append([]string{os.Args[0]}, c.command...)}}
			if c.command == nil {
				p.Control.Command = []string{"no-such-program"}
			}
			if name == "hangs" {
				p.Deadlines.Control = soon.Control
			}
			opened, err := Open(background(), p, Identity{})
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				require.NotContains(t, err.Error(), "act-", "an argument may be secret")
				return
			}
			require.NoError(t, err)
			opened.Client.CloseIdleConnections()
			assert.Equal(t, c.names, opened.ControlNames())
		})
	}
}

func TestOpenMixesTheWaysToControls(t *testing.T) {
	t.Parallel()
	api := serve(t, answers(401, "application/json", problem))
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"protocol":1,"controls":["accounts","funds"]}`)
	}))
	access := &ControlAccess{
		URL: url, Command: []string{os.Args[0], "act-offers", `"funds","clock","faults"`},
		Without: []Control{Accounts, FaultsControl, MED},
	}
	opened, err := Open(background(), Profile{BaseURL: api, Control: access}, Identity{})
	require.NoError(t, err)
	t.Cleanup(opened.Client.CloseIdleConnections)
	assert.Equal(t, []string{"clock", "funds"}, opened.ControlNames())

	var last exchange.Exchange
	controls := opened.Controls("a.b", func(e exchange.Exchange) int { last = e; return 0 })
	require.NoError(t, controls.SetBalance(background(), 7, "1.00"))
	assert.Equal(t, url+"/accounts/7/balance", last.URL, "what both have is called at the URL")
	require.NoError(t, controls.AdvanceClock(background(), 7, time.Second))
	assert.Equal(t, "clock PUT /accounts/7/clock", strings.Join(last.Program[3:], " "))
	assert.Equal(t, &Missing{Accounts}, controls.RemoveAccount(background(), 7))
	assert.Equal(t, &Missing{FaultsControl}, controls.SetFaults(background(), 7, Faults{Auth: "error"}))
}

func TestOpenNamesWhatIsWrongWithBothWays(t *testing.T) {
	t.Parallel()
	api := serve(t, answers(401, "application/json", problem))
	_, err := Open(background(), Profile{BaseURL: api, Control: &ControlAccess{URL: "http://127.0.0.1:1", Command: []string{"no-such-program"}}}, Identity{})
	require.ErrorContains(t, err, "the test controls at http://127.0.0.1:1 cannot be reached: connection refused")
	require.ErrorContains(t, err, `the control command "no-such-program" does not work`)
	_, err = Open(background(), Profile{BaseURL: api, Control: &ControlAccess{Without: []Control{Clock}}}, Identity{})
	require.ErrorContains(t, err, "has neither url nor command")
}
