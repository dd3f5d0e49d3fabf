package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/client"

	"github.com/pixcert/pixcert/steps/exchange"
)

// How much is kept of what a target logs: the end, in bytes, and of that what an error
// quotes.
const (
	maxLog     = 4 << 20
	tailLines  = 20
	maxExcerpt = 4 << 10
)

// log is the end of what the target wrote to its standard output and error, without
// secrets.
func (c *Container) log(ctx context.Context) ([]byte, error) {
	defer c.engine.Close()
	stream, err := c.engine.Client().ContainerLogs(ctx, c.started.GetContainerID(), client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	var end tail
	if _, err := stdcopy.StdCopy(&end, &end, stream); err != nil {
		return nil, err
	}
	return []byte(c.redacted(string(end.whole()))), nil
}

// tail is a writer that keeps the last maxLog bytes or somewhat more.
type tail struct {
	kept []byte
	lost bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*maxLog {
		t.cut()
	}
	return len(p), nil
}

func (t *tail) cut() {
	t.kept = append(t.kept[:0], t.kept[len(t.kept)-maxLog:]...)
	t.lost = true
}

// whole is what was kept, from the beginning of a line: of a line that was cut, what is
// left of a secret would not be known for one.
func (t *tail) whole() []byte {
	if len(t.kept) > maxLog {
		t.cut()
	}
	if !t.lost {
		return t.kept
	}
	_, lines, _ := bytes.Cut(t.kept, []byte("\n"))
	return append([]byte("(earlier lines omitted)\n"), lines...)
}

// failed is err with how the target ended, if it did, and the last that it logged.
func (c *Container) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	var more strings.Builder
	if state, inspected := c.started.State(ctx); inspected == nil && !state.Running {
		fmt.Fprintf(&more, "\nits process exited with status %d", state.ExitCode)
		if state.OOMKilled {
			more.WriteString(", out of memory")
		}
	}
	switch logged, unread := c.log(ctx); {
	case unread != nil:
		fmt.Fprintf(&more, "\ncannot read its log: %v", unread)
	case len(bytes.TrimSpace(logged)) == 0:
		more.WriteString("\nits log is empty")
	default:
		fmt.Fprintf(&more, "\nthe end of its log:\n%s", excerpt(logged))
	}
	return errors.Join(err, errors.New(strings.TrimPrefix(more.String(), "\n")))
}

// excerpt is the last lines of a log as a terminal may show them.
func excerpt(logged []byte) string {
	if len(logged) > maxExcerpt {
		logged = logged[len(logged)-maxExcerpt:]
	}
	lines := strings.Split(strings.TrimSpace(string(logged)), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	for i, line := range lines {
		lines[i] = "  " + exchange.Visible(strings.TrimRight(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// A secret that a program shows to a person: after a sign, or after mere space where it
// is too long for a word.
var shownSecrets = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(\w*(?:secret|token|passw\w*|api[_-]?key|authorization)["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?)[^\s"',;&{}]{4,}`),
	regexp.MustCompile(`(?i)\b(\w*(?:secret|token|password|bearer|basic)\s+)[^\s"',;&{}]{16,}`),
}

// redacted is a log without secrets.
func (c *Container) redacted(log string) string {
	log = c.secrets.Text(log)
	for _, shown := range shownSecrets {
		log = shown.ReplaceAllString(log, "${1}"+exchange.Mask)
	}
	return log
}
