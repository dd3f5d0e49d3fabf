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

// way leads to test controls: an interface at a URL, or a command.
type way interface {
	// send carries out one call of a control. It never fails: what became of the call
	// stands in the exchange, its Status as over HTTP.
	send(ctx context.Context, call Request) exchange.Exchange

	// refusal says why an answer to discovery names no controls, and what to do.
	refusal(e exchange.Exchange) error

	// String begins a sentence: "the test controls at http://127.0.0.1:9000".
	String() string
}

// discover learns which controls the target has, and by which way each is called: the
// first that leads to it.
func (t *Target) discover(ctx context.Context, id Identity) error {
	access := t.Profile.Control
	if access == nil {
		return nil
	}
	var ways []way
	if access.URL != "" {
		ways = append(ways, &controlsAt{t.Client, access.URL, access.Token})
	}
	if len(access.Command) > 0 {
		ways = append(ways, newCommand(t.Profile, id))
	}
	if len(ways) == 0 {
		return errors.New("the profile's controls name neither a URL nor a command: give one of them, or leave the controls out")
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

// protocol is the version of the test controls that is spoken here.
const protocol = "1"

// controlsBy asks which controls a way leads to.
func controlsBy(ctx context.Context, w way) ([]Control, error) {
	e := w.send(ctx, Request{Party: exchange.Control, Operation: "controls", Rule: "probe", Method: http.MethodGet, Path: "/controls"})
	var answer struct {
		Protocol json.Number
		Controls []Control
	}
	malformed := json.Unmarshal(e.ResponseBody, &answer)
	switch {
	case e.Status < 200, e.Status > 299, malformed != nil, answer.Protocol == "":
		return nil, w.refusal(e)
	case answer.Protocol != protocol:
		return nil, fmt.Errorf("%s should speak protocol %s but names protocol %s: use the pixcert that speaks the same",
			w, protocol, exchange.Line(answer.Protocol.String()))
	case e.Err != "":
		return nil, fmt.Errorf("%s gave half an answer: %s", w, exchange.Line(e.Err))
	}
	return answer.Controls, nil
}

// ControlNames are the names of all controls that the target has, sorted.
func (t *Target) ControlNames() []string {
	var names []string
	for control := range t.Has {
		names = append(names, string(control))
	}
	slices.Sort(names)
	return names
}

// controlsAt is the interface of test controls at a URL.
type controlsAt struct {
	client *Client // which knows the URL
	url    string
	token  string // empty for none
}

func (c *controlsAt) String() string { return "the test controls at " + c.url }

func (c *controlsAt) send(ctx context.Context, call Request) exchange.Exchange {
	call.Header = http.Header{}
	if c.token != "" {
		call.Header.Set("Authorization", "Bearer "+c.token)
	}
	if call.Body != nil {
		call.Header.Set("Content-Type", "application/json")
	}
	return c.client.Send(ctx, call)
}

func (c *controlsAt) refusal(e exchange.Exchange) error {
	switch e.Status {
	case 0:
		return fmt.Errorf("%s give no answer: %s; %s", c, exchange.Line(e.Err), advice(e.Err))
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%s answer %d: give the token that they ask for", c, e.Status)
	default:
		return fmt.Errorf("%s is not where test controls are: expected GET %s to name a protocol and controls, came %d with %s; "+
			"correct the control URL, or leave it out to test without controls", c.url, e.URL, e.Status, excerpt(e.ResponseBody))
	}
}
