package model

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

func TestExamplesComeFromTheFeatures(t *testing.T) {
	t.Parallel()
	b := language.FeatureExamples()
	for _, noun := range []string{"cash-out", "QR cash-out", "transfer", "cash-in", "cob", "refund"} {
		assert.GreaterOrEqual(t, len(b.Shapes[noun]), 4, noun)
	}
	for _, rule := range []string{"cash-out cash-out.key-type", "transfer transfer.ispb-deny", "token request token.credentials", "MED list request med.parameters"} {
		assert.NotEmpty(t, b.Wrong[rule], rule)
	}
	assert.NotEmpty(t, b.EveryWay["cob cob.devedor"])
	for _, all := range []map[string][]language.Example{b.Wrong, b.EveryWay} {
		for rule, examples := range all {
			for _, e := range examples {
				assert.NotContains(t, e.Request.Text, "again", rule) // would need an earlier one
				assert.True(t, e.Answer.Expected.MustRefuse(), rule)
			}
		}
	}
}

func TestSplitsLeaveSomethingAndAreWholeCentavos(t *testing.T) {
	t.Parallel()
	for _, way := range divisions {
		for seed := range uint64(5000) {
			amount, parts := divide(&play{step: Step{Way: way}, chance: Draws{Seed: seed}.chance()})
			charge := Thing{Amount: amount, Splits: parts}
			require.Positive(t, charge.kept(), "%s %d", way, seed)
			for _, s := range parts {
				require.Positive(t, s.Amount)
				if s.Percent > 0 {
					require.Equal(t, s.Amount*100, amount*money.Centavos(s.Percent), "%s %d", way, seed)
				}
			}
		}
	}
}

func TestNightsOnWhichBothZonesAgree(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]spec.Done{
		"06:00": spec.NotDone, "16:50": spec.NotDone, "17:01": spec.MayBeDone, "19:59": spec.MayBeDone, "20:00": spec.IsDone, "23:54": spec.IsDone,
		"00:00": spec.IsDone, "02:54": spec.IsDone, "03:01": spec.MayBeDone, "05:59": spec.MayBeDone,
	} {
		clock, err := time.Parse("15:04", at)
		require.NoError(t, err)
		c := Clock{Known: true, Began: time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute}
		for range 3 { // and on later days
			assert.Equal(t, want, c.atNight(), at)
			c.Elapsed += day
		}
	}
	assert.Equal(t, spec.MayBeDone, (&Clock{}).atNight(), "unless the time is known")
}

func TestWhichCertificatesGetATokenForWhom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		Certificate
		who  language.Account
		want string
	}{
		{Certificate{Kind: "a valid"}, language.TheAccount, "accepted with 201"},
		{Certificate{Kind: "a valid"}, language.TheOther, "403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"},
		{Certificate{Kind: "a valid", Revoked: true}, language.TheOther, "401 PUB_CERT_NOT_REGISTERED"},
		{Certificate{Kind: "a valid", Shared: true, Revoked: true}, language.TheOther, "accepted with 201"},
		{Certificate{Kind: "a valid", Shared: true, Revoked: true}, language.TheAccount, "403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"},
		{Certificate{Kind: "a revoked", Revoked: true}, language.TheAccount, "401 PUB_CERT_NOT_REGISTERED"},
		{Certificate{Kind: "an expired"}, language.TheAccount, "401 PUB_CERT_EXPIRED"},
		{Certificate{Kind: "an expired", Revoked: true}, language.TheAccount, "401 PUB_CERT_EXPIRED, or rejected with 401 PUB_CERT_NOT_REGISTERED"},
		{Certificate{Kind: "a not yet valid"}, language.TheAccount, "401 PUB_CERT_NOT_YET_VALID"},
	} {
		assert.True(t, strings.HasSuffix(outcomeOf(c.Certificate, c.who), c.want), "%+v: %s", c, outcomeOf(c.Certificate, c.who))
	}
}

func TestErrorsOfTheCentralBankAreSimple(t *testing.T) {
	t.Parallel()
	for noun, want := range map[string]string{"cob": `"Bad Request"`, "cash-out": "", "token request": ""} {
		p := &play{}
		hasEnvelope(p, noun, "400")
		got := ""
		for _, l := range p.lines {
			for _, row := range l.Table {
				if row[0] == "error" {
					got = row[1]
				}
			}
		}
		assert.Equal(t, want, got, noun)
	}
	p := &play{step: Step{Move: &Move{Noun: "cob"}}}
	p.rejected("400 or 409")
	assert.Len(t, p.lines, 1, "which status it has is unspecified")
}
