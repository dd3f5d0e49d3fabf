package report

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// In the commands, variables replace the values of the run, and each command lists the variables that
// its response sets.
func TestCommandsUseVariables(t *testing.T) {
	t.Parallel()
	const id = "7c1e5f0a-5b6e-4a39-9c55-0a8a6c1b7e11"
	account := func(id, client, key string) exchange.Exchange {
		return exchange.Exchange{Party: exchange.Control, Operation: "accounts", Method: "POST", URL: "http://gw:9000/accounts", Status: 201,
			ResponseBody: []byte(`{"accountId":` + id + `,"clientId":"` + client + `","clientSecret":"***","pixKey":"` + key + `"}`)}
	}
	send := func(other bool, url, body string, answer string) exchange.Exchange {
		return exchange.Exchange{Party: exchange.API, Operation: "x", Other: other, Method: "POST", URL: url, Header: http.Header{"Authorization": {"Bearer ***"}},
			Body: []byte(body), Status: 201, ResponseBody: []byte(answer)}
	}
	s := verdict.Scenario{Rule: "r.a", Name: "N", Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "rejected with 400", Exchange: 5}, Exchanges: []exchange.Exchange{
		account("93", "client-of-the-account", "key-of-the-account"),
		account("94", "client-of-the-other-one", "key-of-the-other-one"),
		{Party: exchange.Control, Operation: "funds", Method: "PUT", URL: "http://gw:9000/accounts/93/balance", Body: []byte(`{"available":"93.00"}`), Status: 204},
		send(false, "http://gw/api/auth/token", `{"clientId":"client-of-the-account","clientSecret":"***"}`, `{"access_token":"***"}`),
		send(true, "http://gw/api/auth/token", `{"clientId":"client-of-the-other-one","clientSecret":"***"}`, `{"access_token":"***"}`),
		send(true, "http://gw/pay", `{"key":"key-of-the-account"}`, `{"transactionId":"`+id+`","status":"PENDING"}`),
		{Party: exchange.Webhook, Operation: "CashOut event", Body: []byte(`{"transactionId":"` + id + `"}`)},
		send(false, "http://gw/resend/"+id, ``, `{}`),
	}}
	commands := commandsOf(s)
	require.Len(t, commands, len(s.Exchanges))
	assert.True(t, commands[0].IsNew)
	assert.Equal(t, "OTHER_", commands[1].Makes)
	assert.Contains(t, commands[2].Line, `"http://gw:9000/accounts/$ACCOUNT_ID/balance"`)
	assert.Contains(t, commands[2].Line, `"93.00"`, "an amount is no account")
	assert.Contains(t, commands[3].Line, `"$CLIENT_ID"`)
	assert.Contains(t, commands[3].Line, `"$CLIENT_SECRET"`)
	assert.Equal(t, []shellSetting{{"TOKEN", "access_token"}}, commands[3].Sets)
	assert.Contains(t, commands[4].Line, `"$OTHER_CLIENT_ID"`)
	assert.Contains(t, commands[4].Line, `"$OTHER_CLIENT_SECRET"`)
	assert.Equal(t, []shellSetting{{"OTHER_TOKEN", "access_token"}}, commands[4].Sets)
	assert.Contains(t, commands[5].Line, `Bearer $OTHER_TOKEN`)
	assert.Contains(t, commands[5].Line, `"$PIX_KEY"`)
	assert.Equal(t, []shellSetting{{"GOT_TRANSACTION_ID", "transactionId"}}, commands[5].Sets)
	assert.Empty(t, commands[6].Line, "nobody can send a webhook to a sink that is gone")
	assert.Contains(t, commands[7].Line, `"http://gw/resend/$GOT_TRANSACTION_ID"`)

	run := &verdict.Run{Controls: []string{"accounts"}, Scenarios: []verdict.Scenario{s}}
	var written strings.Builder
	require.NoError(t, writeScript(&written, s, run))
	script := written.String()
	assert.Contains(t, script, "\n# api x: got 201; expected rejected with 400\n", "where it fails")
	assert.Contains(t, script, "new_account OTHER_\n")
	assert.Contains(t, script, "\nGOT_TRANSACTION_ID=$(member transactionId)\n")
	assert.Contains(t, preparation(run), "new_token\n")
	run.Controls = nil
	assert.Contains(t, preparation(run), "the profile")
}

// A target names the fields of its responses: a script does not let them replace its own variables, or those of the shell.
func TestFieldsOfAResponseReplaceNoVariable(t *testing.T) {
	t.Parallel()
	names := []string{"PATH", "CONTROLS", "TOKENS", "KEYS", "IFS", "LD_PRELOAD", "clientSecret", "BASH_ENV"}
	var response, body strings.Builder
	for i, name := range names {
		fmt.Fprintf(&response, `,"%s":"a-value-of-the-target-%d"`, name, i)
		fmt.Fprintf(&body, "a-value-of-the-target-%d ", i)
	}
	s := verdict.Scenario{Rule: "r.a", Name: "N", Verdict: verdict.Fail, Exchanges: []exchange.Exchange{
		{Party: exchange.API, Method: "POST", URL: "http://gw/pay", Status: 201, ResponseBody: []byte("{" + response.String()[1:] + "}")},
		{Party: exchange.API, Method: "POST", URL: "http://gw/again", Status: 201, Body: []byte(body.String())},
	}}
	for _, set := range commandsOf(s)[0].Sets {
		assert.True(t, strings.HasPrefix(set.Variable, "GOT_"), set.Variable)
	}
	assert.Len(t, commandsOf(s)[0].Sets, len(names))
}
