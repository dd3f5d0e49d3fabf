package contract

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func names(samples []Sample) (all []string) {
	for _, s := range samples {
		all = append(all, s.Name)
	}
	return all
}

func TestInvalidValuesFollowFromTheContract(t *testing.T) {
	for _, tt := range []struct {
		operation, field string
		want             []string
	}{
		{"cashOut", "description", []string{"{}", "141 characters", "141 characters with spaces"}},
		{"cashIn", "transaction.description", []string{"absent", "null", "{}", "0 characters", "141 characters", "141 characters with spaces"}},
		{"cashOut", "value", []string{"absent", "null", "{}", `"abc"`, "0", "-0.01", "1.001", "0.019", "1e-3", "1.0001", "99.999", "100000.001"}},
		{"cashIn", "transaction.expirationTime", []string{"{}", `"abc"`, "29", "-1", "604801", "1e6"}},
		{"cashIn", "splits[0].type", []string{"absent", "null", "{}", `""`, `"X"`, `" FIXED"`, `"FIXED\n"`, `"FIXEDS"`, `"PERCENTAG"`, `"FIXED,PERCENTAGE"`, `"constructor"`, `"*"`, `"fixed"`, `"FIXED "`, `"percentage"`, `"PERCENTAGE "`, "a lone surrogate"}},
		{"cashOut", "details", []string{"absent", "null", "[]", `"abc"`}},
	} {
		t.Run(tt.operation+" "+tt.field, func(t *testing.T) {
			samples, err := requests(t)[tt.operation].Invalid(tt.field)
			require.NoError(t, err)
			assert.Equal(t, tt.want, names(samples))
		})
	}
}

// TestEveryInvalidValueBreaksTheContract: whatever is sent as invalid or mistyped must be refused.
func TestEveryInvalidValueBreaksTheContract(t *testing.T) {
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	bodies, tried := bodiesOf(t, doc), 0
	for _, f := range fields {
		op, isRequest := requests(t)[f.body]
		if !isRequest {
			continue
		}
		b := bodies[f.body]
		for _, of := range []func(string) ([]Sample, error){op.Invalid, op.Mistyped} {
			samples, err := of(f.field)
			require.NoError(t, err)
			for _, s := range samples {
				value := string(s.JSON)
				if s.JSON == nil {
					value = "-"
				}
				tried++
				assert.NotEmpty(t, b.breaches(replaced(t, b.example, f.field, value)), "%s of %s as %s", f.field, f.body, s.Name)
			}
		}
	}
	assert.Greater(t, tried, 300)
}

func requests(t *testing.T) map[string]*Operation {
	t.Helper()
	c, err := Load()
	require.NoError(t, err)
	all := map[string]*Operation{}
	for _, op := range c.Operations() {
		all[op.ID] = op
	}
	return all
}

func TestAFieldThatIsNotInTheContractIsAnError(t *testing.T) {
	_, err := requests(t)["cashOut"].Invalid("details.nome")
	assert.EqualError(t, err, "the contract of cashOut has no field details.nome")
	_, err = requests(t)["balances"].Mistyped("value")
	assert.EqualError(t, err, "a balances request has no body")
}
