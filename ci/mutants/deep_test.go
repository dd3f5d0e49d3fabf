package mutants_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
)

// simple is a first simple use of each endpoint, by the verb of its call.
var simple = map[string]string{
	"token":    "token; balance",
	"balance":  "balance",
	"std":      "std",
	"out":      "hook cash_out a; out 10.00 externalId=pedido; balance; list",
	"qr":       "hook cash_out a; qr 10.00 externalId=pedido; balance; list",
	"in":       "hook cash_in a; in 10.00 transaction.externalId=pedido as c; pay $c.code; balance; list",
	"cob":      "hook cash_in a; cob 10.00 as c; pay $c.code; balance",
	"transfer": "hook cash_out a; transfer 10.00; balance",
	"refund":   "hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 4.00 as r; shown $r.rtr; balance",
	"meds":     "hook med_created a; cob 10.00 as c; pay $c.code as p; med $p.e2e; meds; meds status=OPEN",
	"list":     "out 10.00 externalId=pedido; list; list externalId=pedido; list status=CONFIRMED; list type=WITHDRAW",
	"bykey":    "out 10.00 details.key=ana@example.com; bykey ana@example.com; bykey ana@example.com status=CONFIRMED",
	"hook":     "hook cash_out a headers=X-Token:abc; hooks; out 10.00",
	"hooks":    "hook cash_out a; hooks",
	"resend":   "hook cash_out a; out 10.00 externalId=pedido; resend pedido",
}

// TestDeepMutants proves that the catalogue is real: each mutant differs from the reference
// in its story, and in no first simple use of the endpoints of the story.
func TestDeepMutants(t *testing.T) {
	t.Parallel()
	for i, m := range append(mutants.AllDeep(), mutants.Combinations()...) {
		if testing.Short() && i%10 != 0 { // with the race detector
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			showsInItsStory(t, m)
			for _, verb := range endpointsOf(m.Deep.Shown) {
				assert.Equal(t, simply(t, verb).transcript, played(t, m, simple[verb]).transcript, "the fault shows in a first simple use: %s", simple[verb])
			}
		})
	}
}

// showsInItsStory requires that a mutant differs from the reference in its story.
func showsInItsStory(t *testing.T, m mutants.Mutant) {
	t.Helper()
	plain, wrong := played(t, mutants.Mutant{}, m.Deep.Shown), played(t, m, m.Deep.Shown)
	require.Empty(t, plain.unexpected, "the reference does not do what the story expects")
	assert.NotEqual(t, plain.transcript, wrong.transcript, "the story does not show the fault")
	if testing.Verbose() {
		t.Log(difference(plain.transcript, wrong.transcript))
	}
}

// TestPartialMutants proves that the partial mutants with a story show in it.
func TestPartialMutants(t *testing.T) {
	t.Parallel()
	for i, m := range mutants.AllPartial() {
		if testing.Short() && i%10 != 0 || m.Deep.Shown == "" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			showsInItsStory(t, m)
		})
	}
}

// TestTheReferencePlaysSimpleStories keeps the simple stories what they are meant to be.
func TestTheReferencePlaysSimpleStories(t *testing.T) {
	t.Parallel()
	for verb := range simple {
		assert.Empty(t, simply(t, verb).unexpected, verb)
	}
}

// endpointsOf are the endpoints of the API that a story calls.
func endpointsOf(story string) (found []string) {
	seen := map[string]bool{}
	for _, s := range parse(story) {
		if simple[s.verb] != "" && !seen[s.verb] {
			found = append(found, s.verb)
		}
		seen[s.verb] = true
	}
	return found
}

// outcome is what a story came to.
type outcome struct {
	transcript string
	unexpected []string
}

var simpleOutcomes sync.Map // of the reference, by verb

// simply plays a simple story on the reference, once.
func simply(t *testing.T, verb string) outcome {
	if known, ok := simpleOutcomes.Load(verb); ok {
		return known.(outcome)
	}
	o := played(t, mutants.Mutant{}, simple[verb])
	simpleOutcomes.Store(verb, o)
	return o
}

// slots bounds how many gateways run at once.
var slots = make(chan struct{}, 4)

// played plays a story on a gateway of its own.
func played(t *testing.T, m mutants.Mutant, story string) outcome {
	t.Helper()
	slots <- struct{}{}
	defer func() { <-slots }()
	gateway, err := reference.Start(t.Context(), reference.Config{
		ControlsListen: "127.0.0.1:0", WebhookInsecure: true,
		Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks, Triggers: m.Triggers(),
	})
	require.NoError(t, err)
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		assert.NoError(t, gateway.Close(ctx))
	}()
	p := &player{
		api: gateway.URL(), controls: gateway.ControlsURL(), box: newMailbox(),
		actors: map[string]*actor{}, answers: map[string]any{},
	}
	for _, key := range []string{"payee@example.com", "52998224725", "+5511987654321"} {
		_, _, err := p.perform(nil, step{verb: "dir", args: []string{key}})
		require.NoError(t, err)
	}
	_, _, err = p.perform(nil, step{verb: "dir", args: []string{"11222333000181"}, edits: [][2]string{{"document", `"11222333000181"`}}})
	require.NoError(t, err)
	transcript, err := p.play(story)
	require.NoError(t, err)
	return outcome{transcript, p.unexpected}
}

// difference is the first line in which two transcripts differ.
func difference(plain, wrong string) string {
	x, y := strings.Split(plain, "\n"), strings.Split(wrong, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("\nreference: %s\nmutant:    %s", line(x, i), line(y, i))
		}
	}
	return "no difference"
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}
