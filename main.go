// Command pixcert certifies instant-payment (PIX) gateways: it runs its features
// against a gateway and says, rule by rule, whether it does what the API says.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/term"
	"github.com/lmittmann/tint"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/mutants"
	"github.com/pixcert/pixcert/steps"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/proof"
	"github.com/pixcert/pixcert/steps/target"
)

// Exit statuses of the command beside those of a run's outcome.
const (
	exitHole   = 1 // a mutant survived, or a permitted difference was refused
	exitNotRun = 2 // usage, unreachable target, nothing selected
)

// commands is the command line.
type commands struct {
	Certify certifyCmd       `cmd:"" help:"Run the features against a gateway and give a verdict for each rule."`
	Init    initCmd          `cmd:"" help:"Write a profile, certificates, and what a gateway's operator has to register."`
	Plan    planCmd          `cmd:"" help:"Say what can be tested of a gateway, and what would let more be tested."`
	Replay  replayCmd        `cmd:"" help:"Carry a scenario that failed out again, beside the reference, and show where their answers differ in meaning."`
	Serve   serveCmd         `cmd:"" help:"Run the reference gateway, with an example account."`
	Mutants mutantsCmd       `cmd:"" help:"Prove the suite: run each faulty gateway against the rule that it breaks."`
	Version kong.VersionFlag `help:"Print the version."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log.SetOutput(io.Discard) // net/http writes there what a hostile target sends
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// console is where a command writes, what it was asked for and everything else, and
// where it reads answers, if there is somebody to ask.
type console struct {
	out, err io.Writer
	in       io.Reader
	asks     bool
}

// run parses the arguments, calls the command and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	command, exit, err := parse(args, stdout, stderr)
	if exit != nil {
		return *exit
	}
	if err == nil {
		command.BindTo(ctx, (*context.Context)(nil))
		command.Bind(&console{stdout, stderr, os.Stdin, term.IsTerminal(os.Stdin.Fd())}, &status)
		err = command.Run()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintf(stderr, "pixcert: interrupted before the end: %v\n", context.Cause(ctx))
		return exitNotRun
	case err != nil:
		fmt.Fprintf(stderr, "pixcert: %v\n", err)
		return exitNotRun
	}
	return status
}

// parse reads the command line. exit is set when that was all there was to do (--help,
// --version).
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
		kong.Description("Certifies instant-payment (PIX) gateways.\n\nExit status: 0 conforms, 1 does not conform, 2 the run could not be made, 3 incomplete."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(early(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{"version": version()},
	)
	command, err = parser.Parse(args)
	return command, exit, err
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// bundled starts the reference gateway in this process; behind mutual TLS where the
// configuration has an edge.
func bundled(ctx context.Context, cfg reference.Config) (target.Profile, func(), error) {
	cfg.Listen, cfg.ControlsListen = "127.0.0.1:0", "127.0.0.1:0"
	cfg.WebhookInsecure = true // the sink's certificate is of the run's own authority
	var reached target.TLS
	if cfg.Edge != nil {
		ca, err := endTLS(&cfg, "127.0.0.1")
		if err != nil {
			return target.Profile{}, nil, err
		}
		reached = target.TLS{CA: ca, Handshake: true}
	}
	gateway, err := reference.Start(ctx, cfg)
	if err != nil {
		return target.Profile{}, nil, err
	}
	stop := func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = gateway.Close(closing) // the run is over, whatever closing says
	}
	return target.Profile{
		Name:    "the bundled reference gateway",
		BaseURL: gateway.URL(),
		TLS:     reached,
		Control: &target.ControlAccess{URL: gateway.ControlsURL()},
		SandboxScenarios: map[string]string{
			"CONFIRMED": "success", "TAX_ID_MISMATCH": "error:document-mismatch",
			"BLOCKED_ACCOUNT": "error:account-blocked", "ORDER_REJECTED": "error:insufficient-funds",
		},
	}, stop, nil
}

func displayOf(w io.Writer) progress.Options {
	if f, ok := w.(*os.File); ok {
		return progress.Detect(f, os.Getenv)
	}
	return progress.Options{}
}

// serveCmd: pixcert serve.
type serveCmd struct {
	Listen       string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address of the API."`
	Controls     string `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Address of the test controls; off for none."`
	ControlToken string `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Bearer token that the test controls ask for; none by default."`
	Data         string `type:"path" placeholder:"DIR" help:"Directory for the data, which then outlive the process; in memory by default."`
	Verbose      bool   `short:"v" help:"Log every request."`

	Edge edgeFlags `embed:""`
}

// collectSeldom lets the heap, which is small because the data of a gateway lie outside of
// it, grow before it is collected: under load that is a tenth of the processor.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

func (c *serveCmd) Run(ctx context.Context, to *console) error {
	collectSeldom()
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	cfg := reference.Config{
		Listen: c.Listen, ControlsListen: c.Controls, ControlToken: c.ControlToken,
		WebhookInsecure: true, // a test environment: receivers have certificates of their own making
		Logger:          slog.New(tint.NewTextHandler(to.err, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !displayOf(to.err).Colour})),
	}
	if c.Controls == "off" {
		cfg.ControlsListen = ""
	}
	if err := c.Edge.valid(); err != nil {
		return err
	}
	directory, cleanUp, err := c.directory()
	if err != nil {
		return err
	}
	defer cleanUp()
	files := filepath.Join(directory, "example")
	if err := c.Edge.configure(&cfg, files); err != nil {
		return err
	}
	if c.Data != "" {
		cfg.Data = filepath.Join(c.Data, "pixcert.db")
	}
	gateway, err := reference.Start(ctx, cfg)
	if err != nil {
		return err
	}
	example, err := gateway.Example(ctx, files)
	if err == nil && c.Edge.MTLS {
		err = c.Edge.writeProfile(gateway, c.ControlToken != "", files)
	}
	if err == nil {
		c.greet(to.out, gateway, example)
		<-ctx.Done()
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, gateway.Close(closing))
}

// greet prints what a person needs to send a first request.
func (c *serveCmd) greet(w io.Writer, gateway *reference.Gateway, example reference.Example) {
	fmt.Fprintf(w, "API            %s\n", gateway.URL())
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "test controls  %s\n", gateway.ControlsURL())
	}
	fmt.Fprintf(w, `
An example account, with R$ 1000.00:

clientId       %s
clientSecret   %s
certificate    %s
private key    %s
%s
Ask for a token:

%s

`, example.ClientID, example.ClientSecret, example.CertificateFile, example.KeyFile, c.Edge.greeting(), example.Curl+c.Edge.curl())
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "Certify it from another terminal:\n\npixcert certify %s\n\n", c.certifyArguments(gateway))
	}
	fmt.Fprintln(w, "Stop it with Ctrl-C.")
}

// directory is where the data and the example's files lie; without --data they go
// with the process.
func (c *serveCmd) directory() (string, func(), error) {
	if c.Data != "" {
		return c.Data, func() {}, os.MkdirAll(c.Data, 0o700)
	}
	dir, err := os.MkdirTemp("", "pixcert-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

// mutantsCmd: pixcert mutants.
type mutantsCmd struct {
	Rules       []string `name:"rule" placeholder:"NAME" help:"Only the mutants of one rule. May be repeated."`
	All         bool     `help:"Run each mutant against every rule, and print which rules fail beside its own."`
	Concurrency int      `default:"16" help:"Scenarios at the same time."`
	Seed        int64    `default:"1" help:"Seed of the order of scenarios."`
}

func (c *mutantsCmd) Run(ctx context.Context, to *console, status *int) error {
	collectSeldom()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(1 << 30) // whole runs beside each other hold much until they end
	}
	faulty, err := c.selected()
	if err != nil {
		return err
	}
	p := proof.Proof{
		Options:  steps.Options{Seed: c.Seed, Concurrency: c.Concurrency, Version: version()},
		AllRules: c.All,
		Out:      to.out,
	}
	killed, err := p.Kill(ctx, gateways(faulty))
	if err != nil {
		return err
	}
	var permitted []mutants.Mutant
	if len(c.Rules) == 0 {
		permitted = mutants.Tolerated()
	}
	tolerated, err := p.Tolerate(ctx, gateways(permitted), func(indexes []int) proof.Gateway {
		var batch []mutants.Mutant
		for _, i := range indexes {
			batch = append(batch, permitted[i])
		}
		return gateway(mutants.Together(batch...))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to.out, "\n%d of %d mutants killed (%d %%)", killed, len(faulty), 100*killed/len(faulty))
	if len(permitted) > 0 {
		fmt.Fprintf(to.out, "; %d of %d permitted differences tolerated", tolerated, len(permitted))
	}
	fmt.Fprintln(to.out)
	if killed < len(faulty) || tolerated < len(permitted) {
		*status = exitHole
	}
	return nil
}

// selected are the mutants to run; each rule that is named has some.
func (c *mutantsCmd) selected() ([]mutants.Mutant, error) {
	if len(c.Rules) == 0 {
		return mutants.All(), nil
	}
	var selected []mutants.Mutant
	for _, name := range c.Rules {
		before := len(selected)
		for _, m := range mutants.All() {
			if m.Rule == strings.TrimPrefix(name, "@") {
				selected = append(selected, m)
			}
		}
		if len(selected) == before {
			return nil, fmt.Errorf("no mutant breaks a rule %s: the report of a run lists the names of the rules", name)
		}
	}
	return selected, nil
}

// gateways are the reference with those faults, each one gateway.
func gateways(all []mutants.Mutant) []proof.Gateway {
	var gateways []proof.Gateway
	for _, m := range all {
		gateways = append(gateways, gateway(m))
	}
	return gateways
}

func gateway(m mutants.Mutant) proof.Gateway {
	return proof.Gateway{Name: m.Name, Rule: m.Rule, Open: func(ctx context.Context) (target.Profile, func(), error) {
		return bundled(ctx, reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks, Edge: m.Edge()})
	}}
}
