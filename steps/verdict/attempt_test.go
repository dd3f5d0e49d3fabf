package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
)

func TestRepeated(t *testing.T) {
	t.Parallel()
	pass, warning := Scenario{Verdict: Pass}, Scenario{Verdict: Warning}
	fail := Scenario{Verdict: Fail, Finding: &Finding{Got: "1"}}
	later := Scenario{Verdict: Fail, Finding: &Finding{Got: "2"}}
	spoiled := Scenario{Verdict: CouldNotTest, Doubt: Doubt{Spoiled: true}}
	unproven := Scenario{Verdict: Fail, Doubt: Doubt{Unproven: true}, Finding: &Finding{Got: "unproven"}}
	spoiledFail := Scenario{Verdict: Fail, Doubt: Doubt{Spoiled: true}, Finding: &Finding{Got: "spoiled"}}
	spoiledPass := Scenario{Verdict: Pass, Doubt: Doubt{Spoiled: true}}
	for _, c := range []struct {
		name     string
		all      []Scenario
		want     Verdict
		got      string // of its finding
		howOften string
	}{
		{"once", []Scenario{fail}, Fail, "1", ""},
		{"always", []Scenario{fail, later}, Fail, "1", "in both attempts"},
		{"at first", []Scenario{fail, pass, warning, pass}, Fail, "1", "in 1 of 4 attempts"},
		{"later", []Scenario{spoiled, later, pass}, Fail, "2", "in 1 of 2 attempts"},
		{"a warning", []Scenario{spoiled, warning}, Warning, "", ""},
		{"a pass", []Scenario{spoiled, spoiledFail, pass}, Pass, "", ""},
		{"spoiled every time", []Scenario{spoiled, spoiledFail}, CouldNotTest, "none; the last attempt got spoiled", ""},
		{"passing, but spoiled every time", []Scenario{spoiledFail, spoiledPass}, CouldNotTest, "none", ""},
		{"spoiled once", []Scenario{spoiledPass}, CouldNotTest, "none", ""},
		{"unproven every time", []Scenario{unproven, spoiledFail, unproven}, Fail, "unproven", "in both attempts"},
		{"unproven, then a pass", []Scenario{unproven, unproven, pass}, Pass, "", ""},
		{"unproven, then proven", []Scenario{unproven, later}, Fail, "2", "in both attempts"},
	} {
		result := Repeated(c.all)
		assert.Equal(t, c.want, result.Verdict, c.name)
		assert.Equal(t, c.howOften, result.Frequency(), c.name)
		if c.got != "" {
			assert.Equal(t, c.got, result.Finding.Got, c.name)
		}
		if len(c.all) == 1 {
			assert.Empty(t, result.Attempts)
		} else {
			assert.Len(t, result.Attempts, len(c.all), c.name)
		}
	}
}

// A wrong exchange is shown next to the corresponding one of an attempt that passed.
func TestTheRightExchange(t *testing.T) {
	t.Parallel()
	of := func(step int, operation string, status int) exchange.Exchange {
		return exchange.Exchange{Party: exchange.API, Step: step, Operation: operation, Status: status}
	}
	wrong := Scenario{
		Verdict: Fail, Finding: &Finding{Exchange: 3},
		Exchanges: []exchange.Exchange{of(0, "token request", 200), of(1, "cash-out", 201), of(1, "balance request", 200), of(1, "cash-out", 500)},
	}
	right := Scenario{Verdict: Pass, Exchanges: []exchange.Exchange{of(1, "cash-out", 201), of(1, "cash-out", 202)}}
	s := Repeated([]Scenario{wrong, right, {Verdict: Pass, Exchanges: right.Exchanges}})
	if assert.NotNil(t, s.Right) {
		assert.Equal(t, 202, s.Right.Status)
	}
	assert.Nil(t, Repeated([]Scenario{wrong, {Verdict: Pass, Exchanges: right.Exchanges[:1]}}).Right, "there is no second one")
	assert.Nil(t, Repeated([]Scenario{wrong, wrong}).Right, "it never passed")
}
