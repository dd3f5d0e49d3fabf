// Command pixcert certifies instant-payment (PIX) gateways: it runs its features against a
// gateway and reports, rule by rule, whether the gateway conforms to the API.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/term"
	"github.com/willabides/kongplete"

	"github.com/pixcert/pixcert/steps/translation"
)

// exitNotRun is the exit status of a command that could not run: wrong usage, unreachable
// target, wrong credentials, nothing selected. For the others see verdict.Outcome.ExitStatus.
const exitNotRun = 2

type commands struct {
	Certify  certifyCmd       `cmd:"" help:"Test a gateway and judge every rule."`
	Init     initCmd          `cmd:"" help:"Create a profile, certificates and a registration checklist."`
	Plan     planCmd          `cmd:"" help:"Show what can be tested, and which controls would unlock more."`
	Explore  exploreCmd       `cmd:"" help:"Search for sequences of requests and events that break a gateway."`
	Rules    rulesCmd         `cmd:"" help:"List the rules, or search them."`
	Explain  explainCmd       `cmd:"" help:"Explain a rule, statement, error code, endpoint or step."`
	Steps    stepsCmd         `cmd:"" help:"List the sentences of feature files, or search them."`
	Replay   replayCmd        `cmd:"" help:"Re-run a scenario against target and reference; diff the responses."`
	Baseline baselineCmd      `cmd:"" help:"Print the failures of a report as a baseline."`
	Compare  compareCmd       `cmd:"" help:"Show what changed between reports."`
	Merge    mergeCmd         `cmd:"" help:"Merge reports, such as those of shards."`
	Judge    judgeCmd         `cmd:"" help:"Judge a recorded run again, without the gateway."`
	Verify   verifyCmd        `cmd:"" help:"Verify a certificate and its report, offline."`
	Register registerCmd      `cmd:"" help:"Write a web site about many certificates."`
	Keys     keysCmd          `cmd:"" help:"Create a key pair to sign certificates with."`
	Serve    serveCmd         `cmd:"" help:"Run the reference gateway with an example account."`
	Trigger  triggerCmd       `cmd:"" help:"Simulate payers, banks and MED cases."`
	Listen   listenCmd        `cmd:"" help:"Print webhooks live, forward them, resend one."`
	Mutants  mutantsCmd       `cmd:"" help:"Test the suite: run it against faulty gateways."`
	Health   healthCmd        `cmd:"" help:"Check that a gateway is ready, such as one in a container."`
	K6       k6Cmd            `cmd:"" name:"k6" passthrough:"" help:"Run k6 with the extension k6/x/pix."`
	Complete completionCmd    `cmd:"" name:"completion" help:"Print the completion script of a shell."`
	Man      manCmd           `cmd:"" help:"Print the manual page."`
	Version  kong.VersionFlag `help:"Print the version."`
}

const description = `Certify gateways for Brazilian instant payments (PIX).

Exit status: 0 conforms, 1 does not conform, 2 could not run or ended early, 3 incomplete.

certify, plan, serve and health also read their flags from the environment: --control-url is PIXCERT_CONTROL_URL.

Examples:
  pixcert serve
  pixcert certify --url http://127.0.0.1:8080 --control-url http://127.0.0.1:8081
  pixcert init --url https://sandbox.example --accounts 1
  pixcert certify pixcert.yaml`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	log.SetOutput(io.Discard)    // net/http would print what a hostile target sends
	os.Exit(execute(ctx, ownName(), os.Args[1:], os.Stdout, os.Stderr))
}

// execute parses the arguments, runs the command and returns the exit status. Results that cannot be written are an error.
func execute(ctx context.Context, own string, args []string, stdout, stderr io.Writer) (status int) {
	out := &stream{w: stdout}
	to := &console{commandWriter{out, own}, out, commandWriter{&stream{w: stderr}, own}, os.Stdin, term.IsTerminal(os.Stdin.Fd()), os.Getenv, translation.English}
	status = to.run(ctx, args)
	if err := out.failure(); err != nil {
		fmt.Fprintf(to.err, "pixcert: writing results to standard output: %v\n", err)
		return exitNotRun
	}
	return status
}

func (to *console) run(ctx context.Context, args []string) (status int) {
	command, exit, err := parse(args, to.data, to.err)
	if exit != nil {
		return *exit
	}
	if err == nil {
		to.language = languageOf(command)
		command.BindTo(ctx, (*context.Context)(nil))
		command.Bind(to, &status)
		err = command.Run()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintf(to.err, "pixcert: interrupted: %v\n", context.Cause(ctx))
		return exitNotRun
	case err != nil:
		fmt.Fprintf(to.err, "pixcert: %v\n", err)
		to.reportFailure(err)
		return exitNotRun
	}
	return status
}

// parse parses the command line. exit is set if nothing is left to do (--help, --version).
func parse(args []string, stdout, stderr io.Writer) (command *kong.Context, exit *int, err error) {
	type early int
	defer func() {
		switch code := recover().(type) {
		case nil:
		case early:
			exit = (*int)(&code)
		default:
			panic(code)
		}
	}()
	parser := kong.Must(&commands{},
		kong.Name("pixcert"),
		kong.Description(description),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(early(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(flagHelp),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(durationFlag)),
		kong.Resolvers(kong.ResolverFunc(fromEnvironment)),
		kong.Vars{"version": version()},
	)
	kongplete.Complete(parser) // ends here if a shell asks what can follow
	command, err = parser.Parse(args)
	return command, exit, explainNegative(args, err)
}

func durationFlag(ctx *kong.DecodeContext, into reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
		return err
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("expected a duration with its unit, such as 30s or 10m, got %s", text)
	}
	into.SetInt(int64(d))
	return nil
}

// flagHelp adds to the help of a flag its default and its environment variable.
func flagHelp(value *kong.Value) string {
	var notes []string
	if value.HasDefault && !value.IsBool() {
		notes = append(notes, "default: "+value.Default)
	}
	for _, name := range value.Tag.Envs {
		notes = append(notes, "env: $"+name)
	}
	if len(notes) == 0 {
		return value.Help
	}
	return strings.TrimSuffix(value.Help, ".") + " (" + strings.Join(notes, ", ") + ")."
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
