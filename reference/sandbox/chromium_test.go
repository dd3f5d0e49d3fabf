package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// chromium is a page in headless Chromium, which runs no scripts of pages. It is called over the pipes of its remote
// debugging, which need no library.
type chromium struct {
	t       *testing.T
	to      io.Writer
	from    *bufio.Reader
	session string
	calls   int
	events  []message // that no call has waited for
}

type message struct {
	ID        int                       `json:"id,omitempty"`
	SessionID string                    `json:"sessionId,omitempty"`
	Method    string                    `json:"method,omitempty"`
	Params    json.RawMessage           `json:"params,omitempty"`
	Result    json.RawMessage           `json:"result,omitempty"`
	Error     *struct{ Message string } `json:"error,omitempty"`
}

type object map[string]any

// browser starts Chromium until the test ends. Without Chromium, it skips the test.
func browser(t *testing.T) *chromium {
	t.Helper()
	program, err := "", errors.New("")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if err != nil {
			program, err = exec.LookPath(name)
		}
	}
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "Chromium is not installed")
		t.Skip("Chromium is not installed")
	}
	profile, err := os.MkdirTemp("", "chromium-")
	require.NoError(t, err)
	command := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--no-proxy-server", "--user-data-dir="+profile, "--remote-debugging-pipe")
	reads, to, err := os.Pipe()
	require.NoError(t, err)
	from, writes, err := os.Pipe()
	require.NoError(t, err)
	command.ExtraFiles = []*os.File{reads, writes} // 3 and 4, as --remote-debugging-pipe expects
	require.NoError(t, command.Start())
	require.NoError(t, errors.Join(reads.Close(), writes.Close()))
	require.NoError(t, from.SetReadDeadline(time.Now().Add(3*time.Minute)))
	c := &chromium{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		c.call("Browser.close", nil, nil)
		_ = command.Wait()
		_, _ = to.Close(), from.Close()
		_ = os.RemoveAll(profile) // processes of Chromium may still write to it
	})
	var page struct{ TargetID, SessionID string }
	c.call("Target.createTarget", object{"url": "about:blank"}, &page)
	c.call("Target.attachToTarget", object{"targetId": page.TargetID, "flatten": true}, &page)
	c.session = page.SessionID
	for _, domain := range []string{"Page", "Log", "DOM", "Accessibility"} {
		c.call(domain+".enable", nil, nil)
	}
	c.call("Emulation.setScriptExecutionDisabled", object{"value": true}, nil)
	return c
}

// call calls a method of the Chrome DevTools Protocol and waits for its result.
func (c *chromium) call(method string, params object, result any) {
	c.t.Helper()
	c.calls++
	sent := object{"id": c.calls, "method": method}
	if params != nil {
		sent["params"] = params
	}
	if c.session != "" && method != "Browser.close" {
		sent["sessionId"] = c.session
	}
	text, err := json.Marshal(sent)
	require.NoError(c.t, err)
	_, err = c.to.Write(append(text, 0))
	require.NoError(c.t, err)
	for {
		m := c.receive()
		if m.ID == 0 {
			c.events = append(c.events, m)
			continue
		}
		require.Equal(c.t, c.calls, m.ID)
		require.Nil(c.t, m.Error, method)
		if result != nil {
			require.NoError(c.t, json.Unmarshal(m.Result, result))
		}
		return
	}
}

func (c *chromium) receive() (m message) {
	c.t.Helper()
	text, err := c.from.ReadBytes(0)
	require.NoError(c.t, err)
	require.NoError(c.t, json.Unmarshal(text[:len(text)-1], &m))
	return m
}

// loads does something that loads a page, and waits for it.
func (c *chromium) loads(do func()) {
	c.t.Helper()
	c.events = nil
	do()
	for i := 0; ; i++ {
		if i == len(c.events) {
			c.events = append(c.events, c.receive())
		}
		if c.events[i].Method == "Page.loadEventFired" {
			return
		}
	}
}

func (c *chromium) open(url string) {
	c.t.Helper()
	c.loads(func() { c.call("Page.navigate", object{"url": url}, nil) })
}

// named is an element as assistive technology presents it.
type named struct {
	Role, Name, Description string
	node                    int
}

// elements are the elements of the page.
func (c *chromium) elements() (all []named) {
	c.t.Helper()
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored                 bool
			Role, Name, Description value
			BackendDOMNodeID        int
		}
	}
	c.call("Accessibility.getFullAXTree", nil, &tree)
	text := func(v value) string { s, _ := v.Value.(string); return s }
	for _, n := range tree.Nodes {
		if !n.Ignored {
			all = append(all, named{text(n.Role), text(n.Name), text(n.Description), n.BackendDOMNodeID})
		}
	}
	return all
}

// click clicks the middle of an element, and waits for the page to which that leads.
func (c *chromium) click(e named) {
	c.t.Helper()
	c.call("DOM.scrollIntoViewIfNeeded", object{"backendNodeId": e.node}, nil)
	var at struct{ Quads [][]float64 }
	c.call("DOM.getContentQuads", object{"backendNodeId": e.node}, &at)
	require.NotEmpty(c.t, at.Quads, "%s %q is not visible", e.Role, e.Name)
	q := at.Quads[0]
	c.loads(func() {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			c.call("Input.dispatchMouseEvent", object{"type": kind, "button": "left", "clickCount": 1, "x": (q[0] + q[4]) / 2, "y": (q[1] + q[5]) / 2}, nil)
		}
	})
}
