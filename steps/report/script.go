package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"text/template"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

//go:embed prepare.sh
var prepareSource string

// command is the curl line of an exchange, with the variables that its response sets.
type command struct {
	Line  string         // empty for a webhook: the sink that received it is gone
	Sets  []shellSetting // sorted by field
	Makes string         // "", "OTHER_": the exchange created that account
	IsNew bool           // the exchange created an account
}

// shellSetting is a variable that gets its value from a field of a response.
type shellSetting struct{ Variable, Field string }

// commandsOf returns a command for each exchange of a scenario. Values of the run's
// accounts and values from its responses are variables in the lines: whoever sends the
// requests again has other accounts and gets other responses.
func commandsOf(s verdict.Scenario) []command {
	all := make([]command, len(s.Exchanges))
	var standIns []exchange.StandIn
	accounts := 0
	for i, e := range s.Exchanges {
		if e.Party == exchange.Webhook {
			continue
		}
		all[i].Line = exchange.Visible(e.Curl(standIns...))
		switch {
		case e.Party == exchange.Control && e.Operation == "accounts" && e.Method == http.MethodPost && e.Status/100 == 2:
			if accounts++; accounts > 1 {
				all[i].Makes = "OTHER_"
			}
			all[i].IsNew = true
			standIns = append(standIns, ofAccount(e, all[i].Makes)...)
		case e.Party == exchange.API && jsonvalue.Text(decoded(e), "access_token") != "":
			token := shellSetting{"TOKEN", "access_token"}
			if e.Other {
				token.Variable = "OTHER_TOKEN"
			}
			all[i].Sets = append(all[i].Sets, token)
		default:
			for _, given := range givenBy(s, i, standIns) {
				all[i].Sets = append(all[i].Sets, shellSetting{given.Variable, given.After})
				standIns = append(standIns, exchange.StandIn{Value: given.Value, Variable: given.Variable})
			}
		}
	}
	return all
}

// ofAccount returns the stand-ins for the values of a new account.
func ofAccount(e exchange.Exchange, prefix string) []exchange.StandIn {
	account := decoded(e)
	all := []exchange.StandIn{{Value: jsonvalue.Text(account, "accountId"), After: "/accounts/", Variable: prefix + "ACCOUNT_ID"}}
	for name, variable := range map[string]string{"clientId": "CLIENT_ID", "pixKey": "PIX_KEY"} {
		if value := jsonvalue.Text(account, name); len(value) >= shortestID {
			all = append(all, exchange.StandIn{Value: value, Variable: prefix + variable})
		}
	}
	slices.SortFunc(all, func(a, b exchange.StandIn) int { return strings.Compare(a.Variable, b.Variable) })
	return all
}

// shortestID is the minimum length of an id; anything shorter may be a word.
const shortestID = 16

// fromResponse begins the names of variables that are named after fields of a response, which a target may call PATH.
const fromResponse = "GOT_"

// givenBy returns the ids in the response of exchange i that a later request sends; After is
// the name of the field.
func givenBy(s verdict.Scenario, i int, known []exchange.StandIn) []exchange.StandIn {
	response, _ := decoded(s.Exchanges[i]).(map[string]any)
	var given []exchange.StandIn
	for _, name := range slices.Sorted(maps.Keys(response)) {
		value, isText := response[name].(string)
		isKnown := slices.ContainsFunc(known, func(k exchange.StandIn) bool { return k.Value == value })
		if !isText || isKnown || len(value) < shortestID || sends(s.Exchanges[:i+1], value) || !sends(s.Exchanges[i+1:], value) {
			continue
		}
		variable := fromResponse + shell.VariableName(name)
		for n := 2; slices.ContainsFunc(known, func(k exchange.StandIn) bool { return k.Variable == variable }); n++ {
			variable = fmt.Sprintf("%s%s_%d", fromResponse, shell.VariableName(name), n)
		}
		given = append(given, exchange.StandIn{Value: value, After: name, Variable: variable})
		known = append(known, exchange.StandIn{Value: value, Variable: variable})
	}
	return given
}

func sends(exchanges []exchange.Exchange, value string) bool {
	text := []byte(value)
	for i := range exchanges { // there may be hundreds, which are large
		e := &exchanges[i]
		if e.Party != exchange.Webhook && (strings.Contains(e.URL, value) || bytes.Contains(e.Body, text)) {
			return true
		}
	}
	return false
}

// decoded is the body of a response; nil if it is not JSON.
func decoded(e exchange.Exchange) any {
	body, _ := jsonvalue.Decode(e.ResponseBody)
	return body
}

// variablesOf explains the variables in the curl lines.
func variablesOf(r *verdict.Run, in translation.Language) []shellVariable {
	all := []shellVariable{
		{"TOKEN", in.Say("the account's access token: access_token in the response to a token request")},
		{"CLIENT_SECRET", in.Say("the account's clientSecret")},
		{"CLIENT_CERT", in.Say("the account's client certificate in PEM, URL-encoded")},
		{"CONTROL_TOKEN", in.Say("the bearer token of the test controls, if they require one")},
		{"OTHER_…", in.Say("the same, for a second account")},
	}
	if makesAccounts(r) {
		all = append(all, shellVariable{"ACCOUNT_ID, CLIENT_ID, PIX_KEY", in.Say("from the response of the control accounts")})
	}
	return append(all, shellVariable{fromResponse + "…", in.Say("ids from earlier responses of the scenario, named after the field")})
}

type shellVariable struct{ Name, Meaning string }

// makesAccounts reports whether the target has the control accounts, with which a reader can
// create an account, at a URL that the evidence shows.
func makesAccounts(r *verdict.Run) bool {
	_, controls := addresses(r)
	return controls != "" && slices.Contains(r.Controls, "accounts")
}

// preparation returns the shell lines that set the variables of one account, created with
// the target's controls or named by the profile.
func preparation(r *verdict.Run) string {
	if !makesAccounts(r) {
		return fromProfile
	}
	return settings(r) + prepareSource + "new_account\nnew_token\n"
}

const fromProfile = `CLIENT_SECRET=...   # of the account in the profile
CLIENT_CERT=$(sed 's/%/%25/g; s/+/%2B/g; s/ /%20/g; s,/,%2F,g; s/=/%3D/g; s/$/%0A/' client.pem | tr -d '\n')
TOKEN=...           # access_token in the response to the token request below
`

// addresses returns the URLs of the token request and of the controls, each empty if the
// evidence does not show it.
func addresses(r *verdict.Run) (token, controls string) {
	for _, s := range r.Scenarios {
		for _, e := range s.Exchanges {
			if base, found := strings.CutSuffix(e.URL, "/accounts"); found && len(e.Program) == 0 && e.Party == exchange.Control && controls == "" {
				controls = base
			}
			if e.Operation == "token request" && e.Party == exchange.API && token == "" {
				token = e.URL
			}
			if token != "" && controls != "" {
				return token, controls
			}
		}
	}
	return token, controls
}

// settings returns the shell lines that set the URLs of the target.
func settings(r *verdict.Run) string {
	token, controls := addresses(r)
	return "TOKENS=" + shell.Quote(token) + "\nCONTROLS=" + shell.Quote(controls) + "\n"
}

//go:embed script.sh.tmpl
var scriptSource string

var scriptTemplate = template.Must(template.New("script").Funcs(template.FuncMap{
	"got": gotOf, "line": exchange.Line, "quote": shell.Quote, "quiet": quiet,
}).Parse(scriptSource))

// writeScript writes a bash script that sends the requests of a scenario again, on new
// accounts, and prints the responses.
func writeScript(w io.Writer, s verdict.Scenario, run *verdict.Run) error {
	commands := commandsOf(s)
	return scriptTemplate.Execute(w, struct {
		verdict.Scenario
		AsksForToken, MakesAccount bool
		Preparation                string
		Commands                   []command
	}{
		s, controlsAskForToken(s.Exchanges), slices.ContainsFunc(commands, func(c command) bool { return c.IsNew }),
		settings(run) + prepareSource, commands,
	})
}

// quiet is a curl line that prints only the response.
func quiet(line string) string { return strings.Replace(line, "curl ", "curl -sS ", 1) }

func controlsAskForToken(exchanges []exchange.Exchange) bool {
	return slices.ContainsFunc(exchanges, func(e exchange.Exchange) bool {
		return e.Party == exchange.Control && e.Header.Get("Authorization") != ""
	})
}

// gotOf describes the response that the run got.
func gotOf(e exchange.Exchange) string {
	switch {
	case e.Party == exchange.Webhook:
		return "received"
	case e.Status == 0:
		return "got no response: " + exchange.Line(e.Err)
	default:
		return fmt.Sprintf("got %d", e.Status)
	}
}
