package verdict

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

//go:embed prepare.sh
var prepareSource string

// command is the curl line of an exchange, with the variables that its answer sets.
type command struct {
	Line  string         // empty for a webhook, which nobody can send to a sink that is gone
	Sets  []shellSetting // in the order of the answer's members
	Makes string         // "", "OTHER_": the exchange made that account
	IsNew bool           // the exchange made an account
}

// shellSetting is a variable that a member of an answer gives its value.
type shellSetting struct{ Variable, Member string }

// commands are the curl lines of a scenario. What belongs to the accounts of the run, and
// what its answers gave, are variables in them: who sends the requests again has other
// accounts and gets other answers.
func (s Scenario) commands() []command {
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
		case e.Party == exchange.API && member(e.ResponseBody, "access_token") != "":
			token := shellSetting{"TOKEN", "access_token"}
			if e.Other {
				token.Variable = "OTHER_TOKEN"
			}
			all[i].Sets = append(all[i].Sets, token)
		default:
			for _, given := range s.givenBy(i, standIns) {
				all[i].Sets = append(all[i].Sets, shellSetting{given.Variable, given.After})
				standIns = append(standIns, exchange.StandIn{Value: given.Value, Variable: given.Variable})
			}
		}
	}
	return all
}

// ofAccount are the stand-ins for what the control told of a new account.
func ofAccount(e exchange.Exchange, prefix string) []exchange.StandIn {
	all := []exchange.StandIn{{Value: member(e.ResponseBody, "accountId"), After: "/accounts/", Variable: prefix + "ACCOUNT_ID"}}
	for name, variable := range map[string]string{"clientId": "CLIENT_ID", "pixKey": "PIX_KEY"} {
		if value := member(e.ResponseBody, name); len(value) >= shortestGiven {
			all = append(all, exchange.StandIn{Value: value, Variable: prefix + variable})
		}
	}
	slices.SortFunc(all, func(a, b exchange.StandIn) int { return strings.Compare(a.Variable, b.Variable) })
	return all
}

// shortestGiven is the length from which a value is an id and no word.
const shortestGiven = 16

// givenBy are the ids that exchange i answered with and that a later request sends; the
// name of the member stands in After.
func (s Scenario) givenBy(i int, known []exchange.StandIn) []exchange.StandIn {
	var answer map[string]any
	if json.Unmarshal(s.Exchanges[i].ResponseBody, &answer) != nil {
		return nil
	}
	var given []exchange.StandIn
	for _, name := range slices.Sorted(maps.Keys(answer)) {
		value, isText := answer[name].(string)
		isKnown := slices.ContainsFunc(known, func(k exchange.StandIn) bool { return k.Value == value })
		if !isText || isKnown || len(value) < shortestGiven || s.sends(value, s.Exchanges[:i+1]) || !s.sends(value, s.Exchanges[i+1:]) {
			continue
		}
		variable := variableOf(name)
		for n := 2; slices.ContainsFunc(known, func(k exchange.StandIn) bool { return k.Variable == variable }); n++ {
			variable = fmt.Sprintf("%s_%d", variableOf(name), n)
		}
		given = append(given, exchange.StandIn{Value: value, After: name, Variable: variable})
		known = append(known, exchange.StandIn{Value: value, Variable: variable})
	}
	return given
}

func (s Scenario) sends(value string, exchanges []exchange.Exchange) bool {
	return slices.ContainsFunc(exchanges, func(e exchange.Exchange) bool {
		return e.Party != exchange.Webhook && (bytes.Contains(e.Body, []byte(value)) || strings.Contains(e.URL, value))
	})
}

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// variableOf is the name of a member as that of a shell variable: transactionId gives
// TRANSACTION_ID.
func variableOf(member string) string {
	spelled := strings.ToUpper(humps.ReplaceAllString(member, "${1}_$2"))
	return regexp.MustCompile(`[^A-Z0-9_]+`).ReplaceAllString(spelled, "_")
}

// member is a text or a number of a JSON object, empty where it has none of that name.
func member(body []byte, name string) string {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var object map[string]any
	if decoder.Decode(&object) != nil {
		return ""
	}
	switch v := object[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

// variables explains the variables of the curl lines.
func (r *Run) variables() []shellVariable {
	all := []shellVariable{
		{"TOKEN", "an access token of the account: access_token in the answer to a token request"},
		{"CLIENT_SECRET", "the clientSecret that goes with the account's clientId"},
		{"CLIENT_CERT", "the account's client certificate in PEM, URL-encoded"},
		{"CONTROL_TOKEN", "the token of the test controls, where they ask for one"},
		{"OTHER_…", "the same of a second account"},
	}
	if r.makesAccounts() {
		all = append(all, shellVariable{"ACCOUNT_ID, CLIENT_ID, PIX_KEY", "what the control accounts answered when it made the account"})
	}
	return append(all, shellVariable{"others", "an id out of an earlier answer of the scenario; beside that answer it says which"})
}

type shellVariable struct{ Name, Meaning string }

// makesAccounts says whether the target has the control with which anybody can have an
// account of their own, at a URL that the evidence shows.
func (r *Run) makesAccounts() bool {
	_, controls := r.addresses()
	return controls != "" && slices.Contains(r.Controls, "accounts")
}

// preparation are the shell lines that set the variables of one account: by the target's
// controls, or from what the profile has.
func (r *Run) preparation() string {
	if !r.makesAccounts() {
		return fromProfile
	}
	return r.settings() + prepareSource + "new_account\nnew_token\n"
}

const fromProfile = `CLIENT_SECRET=...   # of the account that the profile names
CLIENT_CERT=$(sed 's/%/%25/g; s/+/%2B/g; s/ /%20/g; s,/,%2F,g; s/=/%3D/g; s/$/%0A/' client.pem | tr -d '\n')
TOKEN=...           # access_token in the answer to the token request below
`

// addresses are the URLs of the token request and of the controls, as the evidence shows
// them; empty where it does not.
func (r *Run) addresses() (token, controls string) {
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

// settings are the lines in which the shell learns where the target is.
func (r *Run) settings() string {
	token, controls := r.addresses()
	return "TOKENS=" + shellWord(token) + "\nCONTROLS=" + shellWord(controls) + "\n"
}

// script is a scenario as a script for bash that sends its requests again, on accounts of
// its own, and prints the answers.
func (s Scenario) script(run *Run) string {
	var out strings.Builder
	fmt.Fprintf(&out, "#!/usr/bin/env bash\n# %s\n", exchange.Line(s.ID()))
	out.WriteString("# Sends the requests of this scenario again, on an account of its own, and prints the\n# answers. Needs curl and openssl.\n")
	if controlsAskForToken(s.Exchanges) {
		out.WriteString(": \"${CONTROL_TOKEN:?set it to the token of the test controls}\"\n")
	}
	out.WriteString("\n" + run.settings() + prepareSource)
	commands := s.commands()
	if !slices.ContainsFunc(commands, func(c command) bool { return c.IsNew }) {
		out.WriteString("new_account\nnew_token\n\n")
	}
	for i, c := range commands {
		e := s.Exchanges[i]
		fmt.Fprintf(&out, "# %s %s: %s\n", e.Party, exchange.Line(e.Operation), came(e))
		switch {
		case c.IsNew:
			fmt.Fprintf(&out, "new_account %s\n", c.Makes)
		case c.Line != "":
			fmt.Fprintf(&out, "ANSWER=$(%s)\nprintf '%%s\\n\\n' \"$ANSWER\"\n", strings.Replace(c.Line, "curl ", "curl -sS ", 1))
		}
		for _, set := range c.Sets {
			fmt.Fprintf(&out, "%s=$(member %s)\n", set.Variable, shellWord(set.Member))
		}
		out.WriteString("\n")
	}
	return out.String()
}

func controlsAskForToken(exchanges []exchange.Exchange) bool {
	return slices.ContainsFunc(exchanges, func(e exchange.Exchange) bool {
		return e.Party == exchange.Control && e.Header.Get("Authorization") != ""
	})
}

func came(e exchange.Exchange) string {
	switch {
	case e.Party == exchange.Webhook:
		return "arrived"
	case e.Status == 0:
		return "no answer came: " + exchange.Line(e.Err)
	default:
		return fmt.Sprintf("%d came", e.Status)
	}
}
