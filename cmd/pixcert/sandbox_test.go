package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/reference/seedfile"
)

// tried is a gateway with the example account, and a client of it.
type tried struct {
	t       *testing.T
	gateway *reference.Gateway
	box     *sandbox.Sandbox
	token   string
}

func tryOut(t *testing.T) *tried {
	t.Helper()
	return tryOutOf(t, seedfile.Example())
}

// tryOutOf is a client of the first account of a declaration.
func tryOutOf(t *testing.T, declared seedfile.Declaration) *tried {
	t.Helper()
	box, err := sandbox.New(t.TempDir(), declared)
	require.NoError(t, err)
	gateway := started(t, reference.Config{ControlsListen: "127.0.0.1:0", WebhookInsecure: true, Seed: box.Seed()})
	require.NoError(t, box.WriteProfile(gateway, sandbox.Access{}))
	return (&tried{t: t, gateway: gateway, box: box}).as(0)
}

// as is a client of another account of the same gateway.
func (c *tried) as(index int) *tried {
	c.t.Helper()
	other := &tried{t: c.t, gateway: c.gateway, box: c.box}
	header, err := os.ReadFile(c.box.Accounts[index].File(sandbox.HeaderFile))
	require.NoError(c.t, err)
	body, err := os.ReadFile(c.box.Accounts[index].File(sandbox.CredentialsFile))
	require.NoError(c.t, err)
	name, value, _ := strings.Cut(strings.TrimSpace(string(header)), ": ")
	status, answer := other.send(http.MethodPost, "/api/auth/token", string(body), name, value)
	require.Equal(c.t, http.StatusCreated, status, "%v", answer)
	other.token = answer["access_token"].(string)
	return other
}

// send sends a request; header are names and values.
func (c *tried) send(method, path, body string, header ...string) (int, map[string]any) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.gateway.URL()+path, strings.NewReader(body))
	require.NoError(c.t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(c.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	var answer map[string]any
	require.NoError(c.t, json.NewDecoder(bytes.NewReader(text)).Decode(&answer), "%s", text)
	return response.StatusCode, answer
}

// made sends a request that has to be accepted.
func (c *tried) made(method, path, body string, header ...string) map[string]any {
	c.t.Helper()
	status, answer := c.send(method, path, body, header...)
	require.Equal(c.t, 2, status/100, "%v", answer)
	return answer
}

func (c *tried) cashOut(externalID string) {
	c.t.Helper()
	c.made(http.MethodPost, "/api/pix/cash-out", fmt.Sprintf(`{"value":10.00,"externalId":%q,"details":`+
		`{"key":"maria@pixcert.example","keyType":"EMAIL","name":"Maria da Silva","document":"52998224725"}}`, externalID))
}

func (c *tried) cashIn(externalID string) {
	c.t.Helper()
	c.made(http.MethodPost, "/api/pix/cash-in", fmt.Sprintf(`{"transaction":{"value":25.00,"description":"Coffee","externalId":%q},`+
		`"payer":{"fullName":"João de Souza","document":"11144477735"}}`, externalID))
}

func (c *tried) transfer() string {
	c.t.Helper()
	key := pix.NewUUID()
	c.made(http.MethodPost, "/dict/pix", `{"pixKey":"maria@pixcert.example","payment":{"currency":"BRL","amount":5.00}}`, "x-idempotency-key", key)
	return key
}

// transaction returns the transaction with an externalId.
func (c *tried) transaction(externalID string) map[string]any {
	c.t.Helper()
	list := c.made(http.MethodGet, "/api/transactions?externalId="+externalID, "")["data"].([]any)
	require.Len(c.t, list, 1)
	return list[0].(map[string]any)
}

// becomes waits until a transaction has a status.
func (c *tried) becomes(externalID, status string) map[string]any {
	c.t.Helper()
	var found map[string]any
	require.Eventually(c.t, func() bool {
		found = c.transaction(externalID)
		return found["status"] == status
	}, patience, 5*time.Millisecond, "%v", found)
	return found
}

// trigger runs pixcert trigger for the account.
func (c *tried) trigger(args ...string) (status int, stdout, stderr string) {
	c.t.Helper()
	return invoke(c.t, append([]string{"trigger", "--profile", c.box.Profile}, args...)...)
}

func (c *tried) triggers(args ...string) string {
	c.t.Helper()
	status, stdout, stderr := c.trigger(args...)
	require.Zero(c.t, status, "%s\n%s", stdout, stderr)
	return stdout
}
