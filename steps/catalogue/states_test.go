package catalogue

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/features"
)

// A grid is one of the tables of states-*.feature: every state of a thing against every event and
// request that may touch it. A pair that is missing has to be missing for a reason.
type grid struct {
	rule   string
	state  string   // the step that states it; its group is the state
	enum   string   // of openapi.yaml: a schema, or a property of one; empty if states lists all
	states []string // those that openapi.yaml does not list
	events []string
	except []exception
}

// exception says why pairs are missing. An empty state or event stands for all.
type exception struct{ state, event, because string }

const (
	another   = "a MED case is opened against an unknown payment"
	again     = "the account sends the request again"
	resend    = "the account sends a resend request"
	aDayLater = "90000 seconds pass"
	isOpen    = "is left open"
)

var grids = []grid{
	ofCashOuts("cash-out"),
	ofCashOuts("QR cash-out"),
	{
		rule: "states.transfer", state: madeAs("transfer"), enum: "Transfer.type",
		events: []string{
			"the bank confirms the payment", "the bank rejects the payment with ORDER_REJECTED", again, "601 seconds pass",
			"a cash-out fee of R$ 0.70", `the account sends a transfer with pixKey "x"`, "the other account sends a transfer", another,
		},
	},
	{
		rule: "states.charge", state: madeAs("cob"), enum: "Cob.status",
		events: []string{
			"a payer pays the charge", "the receiver removes the charge", "the PSP removes the charge", aDayLater, again,
			"the account sends a cob", `the account sends a cob with valor.original "x"`, "the other account sends a cob",
		},
	},
	{
		rule: "states.cash-in", state: madeAs("cash-in"), enum: "TransactionStatus",
		events: []string{
			"a payer pays the charge", aDayLater, again, resend,
			"the account sends a cash-in", "the account sends a cash-in with transaction.value 0", "the other account sends a cash-in",
		},
		except: []exception{
			{"ERROR", "", "nothing is stated that brings a cash-in there"},
			{"PENDING", resend, "whether the event of a pending payment can be resent " + isOpen},
			{"PENDING", aDayLater, "what becomes of a cash-in that expires " + isOpen},
		},
	},
	{
		rule: "states.refund", state: madeAs("refund"), enum: "Refund.status",
		events: []string{
			"the bank confirms the refund", "the bank rejects the refund", again, "91 days pass", "the account sends a refund of R$ 10.01",
			"a payer pays the charge", "the account sends a cob", "the other account sends a cob",
		},
		except: []exception{{"EM_PROCESSAMENTO", "91 days pass", "how long a bank may take " + isOpen}},
	},
	{
		rule: "states.med", state: madeAs("MED case"), enum: "MEDStatus", states: []string{"APPROVED", "REJECTED"},
		events: []string{
			"the bank moves the case to OPEN", "the bank moves the case to RECEIVED", "the bank moves the case to CANCELLED",
			"the bank moves the case to APPROVED", "the bank moves the case to REJECTED",
			"the bank moves the first case to CANCELLED", "the bank moves the first case to APPROVED", "the bank moves the first case to REJECTED",
			"a payer pays the charge", another,
		},
		except: []exception{
			{"ANALYZED", "", "its states are the results of the analysis, APPROVED and REJECTED"},
			{"OPEN", "the bank moves the case to OPEN", "it is there"},
			{"RECEIVED", "the bank moves the case to RECEIVED", "it is there"},
			{"CANCELLED", "the bank moves the case to CANCELLED", "it is there"},
			{"APPROVED", "the bank moves the case to APPROVED", "it is there"},
			{"REJECTED", "the bank moves the case to REJECTED", "it is there"},
		},
	},
	{
		rule: "states.splits", state: madeAs("split cash-in"), states: []string{"PENDING", "PAID"},
		events: []string{
			"a payer pays the charge", aDayLater, again, "the account sends the request again with splits R$ 6.00, immediate",
			"the account sends a split cash-in", "the other account sends a split cash-in",
		},
		except: []exception{{"PENDING", aDayLater, "what becomes of the splits of a charge that expires " + isOpen}},
	},
	{
		rule: "states.token", state: `(the account has a token|the account has sent a cob using its first token|\d+ seconds pass|the account is removed)`,
		states: []string{"the account has a token", "the account has sent a cob using its first token", "1700 seconds pass", "1801 seconds pass", "the account is removed"},
		events: requestsUsing("balance request", "cash-out", "cob", "MED list request", "transaction list request"), // bearer.expiry sends each request
		except: []exception{{"the account is removed", "the account sends a cash-out using its first token", "nobody can see any more whether it moved money"}},
	},
	{
		rule: "states.certificate", state: `(the (?:other )?account also has an? .* certificate)`,
		states: []string{
			"the account also has a valid certificate", "the account also has an expired certificate", "the account also has a not yet valid certificate",
			"the account also has a revoked certificate", "the other account also has a valid certificate",
		},
		events: []string{
			"the account sends a token request", "the account requests a token with the first added certificate", "the account requests a token with no certificate",
			"the account also has a valid certificate", "the other account also has a valid certificate",
		},
	},
	{
		rule: "states.registration", state: `the account receives cash_out webhooks at (\d) URLs`, states: []string{"1", "2", "3"},
		events: []string{
			"the account sends a webhook registration", "the account sends a webhook registration with url the account's first url",
			"the account sends a webhook registration with url the other account's first url", `the account sends a webhook registration with eventType "cash_in"`,
			`the account sends a webhook registration with eventType "x"`, "the account sends a webhook registration using no token",
			"the other account sends a webhook registration with url the account's first url",
		},
	},
}

func madeAs(noun string) string { return `an? ` + noun + `(?: of R\$ [\d.]+)? that is ([A-Z_]+)` }

func ofCashOuts(noun string) grid {
	return grid{
		rule: "states.cash-out", state: madeAs(noun), enum: "TransactionStatus",
		events: []string{
			"the bank confirms the payment", "the bank rejects the payment with ORDER_REJECTED", "the payee returns R$ 10.00", again, resend, aDayLater,
			"a per-transaction limit of R$ 1.00", "a cash-out fee of R$ 0.70", "the account sends a " + noun + " with value 0", "the other account sends a " + noun, another,
		},
		except: []exception{
			{"PENDING", resend, "whether the event of a pending payment can be resent " + isOpen},
			{"PENDING", aDayLater, "whether a payment expires while it waits " + isOpen},
			{"ERROR", again, "whether a failed payment uses up its externalId " + isOpen},
			{"", "the payee returns R$ 10.00", "only money that has arrived can return, and how the payment is listed then " + isOpen},
		},
	}
}

func requestsUsing(nouns ...string) []string {
	var all []string
	for _, noun := range nouns {
		all = append(all, "the account sends a "+noun+" using its first token")
	}
	return all
}

func TestEachStateMeetsEachEvent(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, g := range grids {
		t.Run(g.rule+" "+g.state, func(t *testing.T) {
			t.Parallel()
			shown := g.shown(t, c)
			states := slices.Concat(enumOf(t, g.enum), g.states)
			used := make([]bool, len(g.except))
			for _, state := range states {
				for _, event := range g.events {
					n := slices.IndexFunc(g.except, func(e exception) bool {
						return (e.state == "" || e.state == state) && (e.event == "" || e.event == event)
					})
					switch {
					case n < 0:
						assert.True(t, shown[state][event], "%s, when %s: add a row, or say here why there is none", state, event)
					default:
						used[n] = true
						assert.False(t, shown[state][event], "%s, when %s: there is a row, although %s", state, event, g.except[n].because)
					}
				}
			}
			assert.NotContains(t, used, false, "an exception is of no use")
			for state, events := range shown {
				assert.Contains(t, states, state)
				for event := range events {
					assert.Contains(t, g.events, event, "add it to the events here, so that each state meets it")
				}
			}
		})
	}
}

// shown are the pairs that the scenarios of the rule show, by state. An event that is only tried is
// the same event.
func (g grid) shown(t *testing.T, c *Catalogue) map[string]map[string]bool {
	t.Helper()
	selected, err := c.Select(Filter{Rules: []string{g.rule}})
	require.NoError(t, err)
	form, tried := regexp.MustCompile(`^`+g.state+`$`), regexp.MustCompile(`tries to (\w+)`)
	all := map[string]map[string]bool{}
	for _, scenario := range selected {
		var state, event string
		for _, step := range scenario.Steps {
			if m := form.FindStringSubmatch(step.Text); m != nil && step.Type == Context {
				state = m[1]
			}
			if step.Type == Action && event == "" {
				event = tried.ReplaceAllString(step.Text, "${1}s")
			}
		}
		if isLast(scenario, form) {
			if all[state] == nil {
				all[state] = map[string]bool{}
			}
			all[state][event] = true
		}
	}
	return all
}

// isLast: what the scenario brings into a state last is of the grid's kind, and not its neighbor alone.
func isLast(s *Scenario, form *regexp.Regexp) bool {
	last := ""
	for _, step := range s.Steps {
		if step.Type == Context {
			last = step.Text
		}
	}
	return form.MatchString(last)
}

// enumOf are the values of a schema of openapi.yaml, or of a property: "Transfer.type".
func enumOf(t *testing.T, name string) []string {
	t.Helper()
	if name == "" {
		return nil
	}
	content, err := fs.ReadFile(features.FS, "openapi.yaml")
	require.NoError(t, err)
	type schema struct {
		Enum       []string
		Properties map[string]yaml.Node
	}
	var document struct {
		Components struct{ Schemas map[string]yaml.Node }
	}
	require.NoError(t, yaml.Unmarshal(content, &document))
	of, property, nested := strings.Cut(name, ".")
	node, s := document.Components.Schemas[of], schema{}
	require.NoError(t, node.Decode(&s))
	if nested {
		node = s.Properties[property]
		s = schema{}
		require.NoError(t, node.Decode(&s))
	}
	require.NotEmpty(t, s.Enum, name)
	return s.Enum
}
