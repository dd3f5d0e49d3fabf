package target

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// AccountControls calls the test controls of one account at any path, for a command that a person runs: each call is
// sent once, whether or not the target says that it has the control.
type AccountControls struct {
	client *Client
	id     int64
}

// ControlsOf returns the controls of an account at the URL of the profile's controls. It sends nothing.
// The caller closes them.
func ControlsOf(p Profile, account int64, id Identity) (*AccountControls, error) {
	p.BaseURL, p.TLS.Handshake = p.Control.URL, false // the API is not called
	p.Deadlines.Control = max(p.Deadlines.Control, time.Minute)
	t, err := newTarget(p, id)
	if err != nil {
		return nil, err
	}
	return &AccountControls{t.Client, account}, nil
}

// Account is the id of the account.
func (c *AccountControls) Account() int64 { return c.id }

// Close ends the connections.
func (c *AccountControls) Close() { c.client.Close() }

// Call calls a control at a path below that of the account. Without a response, the error says what to do; message is
// that of a response other than 2xx.
func (c *AccountControls) Call(ctx context.Context, method, path string, body map[string]any) (answer exchange.Exchange, message string, err error) {
	r := Request{Party: exchange.Control, Operation: "controls", Method: method, Path: account(c.id, path)}
	if body != nil {
		if r.Body, err = json.Marshal(body); err != nil {
			return answer, "", err
		}
	}
	answer = c.client.Send(ctx, c.client.authorized(r))
	switch {
	case answer.Status == 0:
		return answer, "", fmt.Errorf("the test controls at %s cannot be reached: %s", c.client.control, exchange.Line(answer.Err))
	case answer.Err != "":
		return answer, "", fmt.Errorf("the test controls at %s: incomplete response: %s", c.client.control, exchange.Line(answer.Err))
	case answer.Status/100 != 2:
		return answer, messageOf(answer), nil
	}
	return answer, "", nil
}
