package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
)

// way is a way to call test controls: a URL or a command.
type way interface {
	// send makes one call. It never fails: the exchange contains the result, with a Status as over
	// HTTP.
	send(ctx context.Context, call Request) exchange.Exchange

	// refusal says why a response to discovery lists no controls, and what to do.
	refusal(e exchange.Exchange) error

	// String starts a sentence: "the test controls at http://127.0.0.1:9000".
	String() string
}

// discover finds out which controls the target has, and how to call each; the first way takes
// precedence.
func (t *Target) discover(ctx context.Context, id Identity) error {
	access := t.Profile.Control
	if access == nil {
		return nil
	}
	var ways []way
	if access.URL != "" {
		ways = append(ways, &controlsAt{t.Client})
	}
	if len(access.Command) > 0 {
		ways = append(ways, newCommand(t.Profile, id))
	}
	if len(ways) == 0 {
		return errors.New("controls in the profile has neither url nor command: set one of them, or remove controls")
	}
	var wrong []error
	for _, w := range ways {
		controls, err := controlsBy(ctx, w)
		wrong = append(wrong, err)
		for _, control := range controls {
			if t.ways[control] == nil && !slices.Contains(access.Without, control) {
				t.ways[control], t.Has[control] = w, true
			}
		}
	}
	return errors.Join(wrong...)
}

// protocol is the supported version of the test controls.
const protocol = "1"

var discovery = Request{Party: exchange.Control, Operation: "controls", Rule: "probe", Method: http.MethodGet, Path: "/controls"}

func controlsBy(ctx context.Context, w way) ([]Control, error) {
	e := w.send(ctx, discovery)
	var answer struct {
		Protocol json.Number `json:"protocol"`
		Controls []Control   `json:"controls"`
	}
	isJSON := json.Valid(e.ResponseBody) && DecodeControl(e.ResponseBody, &answer) == nil
	switch {
	case e.Status < 200, e.Status > 299, !isJSON, answer.Protocol == "":
		return nil, w.refusal(e)
	case answer.Protocol != protocol:
		return nil, fmt.Errorf("%s: expected protocol %s, got protocol %s: use a version of pixcert with the same protocol",
			w, protocol, exchange.Line(answer.Protocol.String()))
	case e.Err != "":
		return nil, fmt.Errorf("%s: incomplete response: %s", w, exchange.Line(e.Err))
	}
	return answer.Controls, nil
}

// ControlNames returns the sorted names of the target's controls.
func (t *Target) ControlNames() []string {
	var names []string
	for control := range t.Has {
		names = append(names, string(control))
	}
	slices.Sort(names)
	return names
}

type controlsAt struct{ client *Client }

func (c *controlsAt) url() string { return c.client.profile.Control.URL }

func (c *controlsAt) String() string { return "the test controls at " + c.url() }

func (c *controlsAt) send(ctx context.Context, call Request) exchange.Exchange {
	return c.client.Send(ctx, c.client.authorized(call))
}

// authorized returns a call of a control with the headers that it needs.
func (c *Client) authorized(call Request) Request {
	call.Header = http.Header{}
	if token := c.profile.Control.Token; token != "" {
		call.Header.Set("Authorization", "Bearer "+token)
	}
	if call.Body != nil {
		call.Header.Set("Content-Type", "application/json")
	}
	return call
}

func (c *controlsAt) refusal(e exchange.Exchange) error {
	switch e.Status {
	case 0:
		return fmt.Errorf("%s cannot be reached: %s; %s; start them, correct controls.url (--control-url), or remove it to test without controls", c, exchange.Line(e.Err), c.client.advice(c.client.control, e))
	case http.StatusUnauthorized, http.StatusForbidden:
		if c.client.profile.Control.Token != "" {
			return fmt.Errorf("%s reject the token (%d): correct --control-token, PIXCERT_CONTROL_TOKEN or controls.token", c, e.Status)
		}
		return fmt.Errorf("%s return %d: pass the token that they require, with --control-token or controls.token", c, e.Status)
	default:
		return fmt.Errorf("%s does not serve test controls: expected a protocol and controls from GET %s, got %d with %s; "+
			"correct controls.url (--control-url), or remove it to test without controls", c.url(), e.URL, e.Status, excerpt(e.ResponseBody))
	}
}
