package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/pages"
	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/run"
)

// projectRoot is the folder of the project, in which the pages are.
func projectRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		require.NotEqual(t, dir, filepath.Dir(dir), "no go.mod above this folder")
		dir = filepath.Dir(dir)
	}
}

// ownFeature is the example of a feature in the guide to rules of one's own.
func ownFeature(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(projectRoot(t), "steps/own-rules.md"))
	require.NoError(t, err)
	return between(string(text), "```gherkin\n", "```")
}

// The example is made of sentences that exist.
func TestTheExampleOfARuleOfOnesOwnRuns(t *testing.T) {
	t.Parallel()
	_, err := run.Suite(catalogue.Own{Sources: []catalogue.Source{{File: "acme.feature", Text: ownFeature(t)}}})
	require.NoError(t, err)
}

// The first output that the README shows is that of this version; the others are of some run.
func TestTheReadmeCountsRulesAndScenarios(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(projectRoot(t), "README.md"))
	require.NoError(t, err)
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	rules, scenarios := 0, 0
	for _, feature := range all.Features {
		for _, rule := range feature.Rules {
			rules++
			scenarios += len(rule.Scenarios)
		}
	}
	for pattern, want := range map[string]int{`(?m)^  \d+ of (\d+) rules? `: rules, `(?m)^  (\d+) scenarios in `: scenarios} {
		match := regexp.MustCompile(pattern).FindSubmatch(text)
		require.NotEmpty(t, match, pattern)
		require.Equal(t, strconv.Itoa(want), string(match[1]), "README.md: %s", match[0])
	}
}

// The plan that the guide shows is that of the profile that its command writes.
func TestTheGuideShowsThePlanOfItsProfile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(projectRoot(t), "steps/README.md"))
	require.NoError(t, err)
	dir := t.TempDir()
	status, _, stderr := invoke(t, append(append([]string{"init"}, strings.Fields(between(string(text), "./pixcert init", "\n"))...), "--yes", "--directory", dir)...)
	require.Zero(t, status, stderr)
	status, plan, stderr := invoke(t, "plan", "--offline", filepath.Join(dir, "pixcert.yaml"))
	require.Zero(t, status, stderr)
	for shown := range strings.Lines("To test more, add these" + between(string(text), "```\nTo test more, add these", "```")) {
		_, after, found := strings.Cut(plan, strings.TrimSuffix(shown, "\n"))
		require.True(t, found || shown == "…\n", "steps/README.md: the plan has no line after the others %q", shown)
		if found {
			plan = after
		}
	}
}

// marks are the comments above a block that the tests understand; see CONTRIBUTING.md.
var marks = []string{"exits", "needs", "skip"}

// pagesOf are the pages of the project.
func pagesOf(t *testing.T) map[string]pages.Page {
	t.Helper()
	all, err := pages.Read(projectRoot(t))
	require.NoError(t, err)
	require.Greater(t, len(all), 15)
	return all
}

var (
	// a command of pixcert in a script, in output or in prose, up to what the shell would take for something else
	command = regexp.MustCompile("(?:^|[\\s`'(/])pixcert ((?:certify|init|plan|explore|rules|explain|steps|replay|baseline|compare|merge|judge|verify|register|keys|serve|trigger|listen|mutants)\\b(?:'[^']*'|\"[^\"]*\"|[^'\"`|&;>#…)\n])*)")
	// a value that a pipeline or a shell fills in
	variable = regexp.MustCompile(`\$\{\{[^}]*\}\}|\$\{?\w+\}?`)
	word     = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
)

// Commands have subcommands and flags that exist, also where they are not run.
func TestTheCommandsOfThePagesAreValid(t *testing.T) {
	t.Parallel()
	checked := 0
	check := func(where, text string) {
		commands, wrong := commandsIn(text)
		for _, why := range wrong {
			t.Errorf("%s: %s", where, why)
		}
		checked += commands
	}
	for page, p := range pagesOf(t) {
		for _, b := range p.Blocks {
			check(fmt.Sprintf("%s:%d", page, b.Line), b.Text)
		}
		for _, span := range regexp.MustCompile("`[^`]+`").FindAllString(strings.Join(p.Prose, " "), -1) {
			check(page, strings.Trim(span, "`"))
		}
	}
	require.Greater(t, checked, 100)
}

// The check finds what is wrong.
func TestWrongCommandsInPagesAreFound(t *testing.T) {
	t.Parallel()
	for text, wrong := range map[string]int{
		"./pixcert certify --rule a.b": 0, "$ pixcert certify --ruel a.b\n": 1, "pixcert serve \\\n  --port 1": 1,
		"- run: pixcert certify --shard ${{ matrix.shard }}/4": 0, "x | pixcert trigger paid --cod Y && pixcert serve --dat Z": 2,
		"pixcert: the profile has 2 errors": 0, "pixcert explain": 0, "pixcert judge a b": 1,
	} {
		_, found := commandsIn(text)
		require.Len(t, found, wrong, text)
	}
}

// commandsIn counts the commands of pixcert in a text, and says what is wrong with them.
func commandsIn(text string) (count int, wrong []string) {
	for _, found := range command.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
		var args []string
		for _, arg := range word.FindAllString(variable.ReplaceAllString(found[1], "1"), -1) {
			args = append(args, strings.NewReplacer("'", "", `"`, "").Replace(arg))
		}
		if _, _, err := parse(args, io.Discard, io.Discard); err != nil && !isIncomplete(err) {
			wrong = append(wrong, fmt.Sprintf("pixcert %s: %v", strings.Join(args, " "), err))
		}
		count++
	}
	return count, wrong
}

// isIncomplete reports whether a command only lacks an argument, because a sentence names it without one, or a file
// that another command writes.
func isIncomplete(err error) bool {
	return strings.Contains(err.Error(), "no such file") || strings.HasPrefix(err.Error(), "expected \"<") || strings.HasPrefix(err.Error(), "expected one of") || strings.Contains(err.Error(), "missing flags")
}

// The scripts of each page run from top to bottom, as a reader pastes them: against a gateway that confirms a
// cash-out immediately, and of the rules, only those that this breaks.
func TestTheCommandsOfThePagesRun(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), program+" is not installed")
			t.Skip(program + " is not installed")
		}
	}
	for page, p := range pagesOf(t) {
		if strings.HasPrefix(page, "load/") { // the load module runs those
			continue
		}
		scripts := slices.DeleteFunc(slices.Clone(p.Blocks), func(b pages.Block) bool { return b.Language != "sh" })
		for _, b := range scripts {
			if b.Mark != "" {
				require.Contains(t, marks, b.Mark, "%s:%d", page, b.Line)
			}
		}
		if len(scripts) == 0 {
			continue
		}
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			for _, b := range scripts {
				if b.Mark != "skip" {
					s.run(b)
				}
			}
			for _, b := range p.Blocks {
				s.runProgram(b)
			}
		})
	}
}

// session is a terminal, in a directory that looks like the project's to the commands.
type session struct {
	t                  *testing.T
	dir, api, controls string
	port               map[string]string // by that of the page
}

// wrapper is pixcert on ports of the system's choice, on a few rules, without questions.
const wrapper = `#!/bin/sh
case $1 in
serve) set -- "$@" --listen 127.0.0.1:0 --controls 127.0.0.1:0 ;;
listen) set -- "$@" --listen 127.0.0.1:0 ;;
explore) set -- "$@" --walks 64 --fail-fast ;;
init) set -- "$@" --yes --directory registered --force ;;
trigger) case "$*" in *--control-url*|*--profile*) ;; *) set -- "$@" --control-url "$CONTROLS" ;; esac ;;
certify) case "$*" in
	*--rule*|*--tags*|*--rerun-failed*) ;;
	*--features*) set -- "$@" --depth quick ;;
	*) set -- "$@" --rule cash-out.accepted --rule contract.cash-out ;;
	esac ;;
esac
exec env ` + asCommand + `=1 "$TESTS" "$@"
`

// newSession starts the gateway of pixcert.yaml. make only checks that its targets exist, and k6 its script.
func newSession(t *testing.T) *session {
	root := projectRoot(t)
	s := &session{t: t, dir: t.TempDir(), port: map[string]string{"3000": reservedPort(t), "8090": "0"}}
	for _, folder := range []string{"ci", "load"} {
		require.NoError(t, os.Symlink(filepath.Join(root, folder), filepath.Join(s.dir, folder)))
	}
	for name, script := range map[string]string{
		"pixcert": wrapper,
		"make":    "#!/bin/sh\nfor target; do grep -q \"^$target:\" '" + filepath.Join(root, "Makefile") + "' || exit 3; done\n",
		"k6":      "#!/bin/sh\ntest \"$1\" = run && test -f \"$2\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, name), []byte(script), 0o700))
	}
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "rules"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "rules", "acme.feature"), []byte(ownFeature(t)), 0o600))
	s.serve("pixcert serve --mutant 'confirms a cash-out immediately'")
	profile := fmt.Sprintf("name: acme sandbox\nurl: %s\ncontrols: {url: %q}\n", s.api, s.controls)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "pixcert.yaml"), []byte(profile), 0o600))
	return s
}

// reservedPort is a port at which a program can listen, and which the system gives to nothing else until the test ends:
// a socket is bound to it without listening, so that only one with the same option can take it.
func reservedPort(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	syscall.CloseOnExec(socket)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	require.NoError(t, syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	require.NoError(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	address, err := syscall.Getsockname(socket)
	require.NoError(t, err)
	return strconv.Itoa(address.(*syscall.SockaddrInet4).Port)
}

// command runs a script with the page's addresses replaced by those of this session.
func (s *session) command(ctx context.Context, script string) *exec.Cmd {
	c := exec.CommandContext(ctx, "bash", "-c", s.replaced(script))
	c.Dir = s.dir
	c.Env = append(os.Environ(), "PATH="+s.dir+":"+os.Getenv("PATH"), "TESTS="+os.Args[0], "CONTROLS="+s.controls, "GATEWAY_ADMIN="+s.controls)
	return c
}

func (s *session) replaced(text string) string {
	text = strings.NewReplacer("http://127.0.0.1:8080", s.api, "http://127.0.0.1:8081", s.controls).Replace(text)
	for of, port := range s.port {
		text = regexp.MustCompile(`\b`+of+`\b`).ReplaceAllString(text, port)
	}
	return text
}

var server = regexp.MustCompile(`^(\./)?pixcert (serve|listen)\b|adapter\.py serve`)

// aCharge requests a token and creates a charge, which nobody has paid.
const aCharge = `
TOKEN=$(curl -sS http://127.0.0.1:8080/api/auth/token -H @data/accounts/example/client-cert.header -H 'Content-Type: application/json' -d @data/accounts/example/credentials.json | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -sS http://127.0.0.1:8080/api/pix/cash-in -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"transaction":{"value":25.00,"description":"Coffee","externalId":"sale"},"payer":{"fullName":"Ana","document":"11144477735"}}'
`

// run runs a block: servers in the background, everything else as one script. A status that the page does not
// announce ends it. Variables keep their values for the next block.
func (s *session) run(b pages.Block) {
	s.t.Helper()
	var script []string
	for line := range strings.Lines(b.Text) {
		if server.MatchString(line) {
			s.serve(strings.TrimSpace(line))
		} else {
			script = append(script, line)
		}
	}
	if b.Mark == "needs" {
		require.Equal(s.t, "a charge", b.Value, "%s:%d", b.Page, b.Line)
		script = append([]string{aCharge}, script...)
	}
	expected := "0"
	if b.Mark == "exits" {
		expected = b.Value
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	c := s.command(ctx, `test ! -f .token || . ./.token
last=0
trap 'status=$?; case "`+expected+`" in *$status*) last=$status ;; *) echo "line $LINENO: exit status $status" >&2; exit $status ;; esac' ERR
set -o pipefail
curl() { command curl --fail-with-body "$@"; }
`+strings.Join(script, "")+`
declare -p TOKEN > .token 2> /dev/null || :
exit $last`)
	output, err := c.CombinedOutput()
	require.Contains(s.t, strings.Split(expected, " or "), strconv.Itoa(c.ProcessState.ExitCode()), "%s:%d: %v\n%s", b.Page, b.Line, err, output)
}

// serve starts a server and waits until it is ready. A gateway's addresses replace those of the page from then on.
func (s *session) serve(line string) {
	s.t.Helper()
	ready := "Ctrl-C"
	if strings.Contains(line, "adapter.py") {
		ready = "Serving"
	}
	_, printed := s.start("exec "+line, ready)
	for name, address := range map[string]*string{"API": &s.api, "test controls": &s.controls} {
		if found := regexp.MustCompile(`(?m)^` + name + ` +(http\S+)$`).FindStringSubmatch(printed); found != nil {
			*address = found[1]
		}
	}
}

// start starts a program that runs until the test ends, and waits until it prints a text. next returns what it
// prints until another text.
func (s *session) start(script, text string) (next func(text string) string, printed string) {
	s.t.Helper()
	c := s.command(context.Background(), script)
	output, input, err := os.Pipe()
	require.NoError(s.t, err)
	c.Stdout, c.Stderr = input, input
	require.NoError(s.t, c.Start())
	require.NoError(s.t, input.Close())
	s.t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		drained := time.AfterFunc(10*time.Second, func() { _ = c.Process.Kill() })
		_, _ = io.Copy(io.Discard, output)
		_ = c.Wait()
		drained.Stop()
		_ = output.Close()
	})
	lines := bufio.NewReader(output)
	next = func(text string) string {
		s.t.Helper()
		require.NoError(s.t, output.SetReadDeadline(time.Now().Add(time.Minute)))
		defer func() { _ = output.SetReadDeadline(time.Time{}) }()
		var read strings.Builder
		for !strings.Contains(read.String(), text) {
			line, err := lines.ReadString('\n')
			read.WriteString(line)
			require.NoError(s.t, err, "%s: expected it to print %q, got\n%s", script, text, &read)
		}
		return read.String()
	}
	return next, next(text)
}

// programs are how to run the examples of applications, by language.
var programs = map[string]struct{ file, command string }{
	"js":     {"first.mjs", "node"},
	"python": {"first.py", "python3"},
	"java":   {"First.java", "java"},
}

// runProgram runs an application until it has received the webhook of a charge that is then paid.
func (s *session) runProgram(b pages.Block) {
	program, known := programs[b.Language]
	if !known {
		return
	}
	s.t.Run(program.file, func(t *testing.T) {
		if _, err := exec.LookPath(program.command); err != nil {
			require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), program.command+" is not installed")
			t.Skip(program.command + " is not installed")
		}
		own := *s
		own.t = t
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, program.file), []byte(own.replaced(b.Text)), 0o600))
		next, _ := own.start("PYTHONUNBUFFERED=1 exec "+program.command+" "+program.file, "sale-")
		own.run(pages.Block{Page: b.Page, Line: b.Line, Text: "pixcert trigger paid\n"})
		next("CashIn CONFIRMED sale-")
	})
}
