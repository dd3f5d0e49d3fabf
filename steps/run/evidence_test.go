package run

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A step whose record is lost neither passes nor fails.
func TestLostEvidenceIsNeitherAPassNorAFail(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	whole := &Evidence{}
	const id = "balance.overdraft/The overdraft field"
	_, err := Certify(t.Context(), Options{Target: g.Profile(), Scenarios: []string{id}, Evidence: whole})
	require.NoError(t, err)
	for name, spoil := range map[string]func(e *Evidence){
		"no record": func(e *Evidence) { e.Records = nil },
		"cut in half": func(e *Evidence) {
			ofScenarios(e)[0].Entries = ofScenarios(e)[0].Entries[:len(ofScenarios(e)[0].Entries)/2]
		},
		"no entries":       func(e *Evidence) { ofScenarios(e)[0].Entries = nil },
		"of other steps":   func(e *Evidence) { ofScenarios(e)[0].Steps[1] = "the account sends something else" },
		"of fewer steps":   func(e *Evidence) { ofScenarios(e)[0].Steps = ofScenarios(e)[0].Steps[:1] },
		"a step not ended": func(e *Evidence) { ofScenarios(e)[0].Entries = without(ofScenarios(e)[0].Entries, record.Ended) },
	} {
		e := copyOf(t, whole)
		spoil(e)
		again, err := e.Judge()
		require.NoError(t, err)
		require.Len(t, again.Scenarios, 1, name)
		assert.Equal(t, verdict.CouldNotTest, again.Scenarios[0].Verdict, name)
		assert.Equal(t, verdict.Incomplete, again.Outcome(), name)
	}
	again, err := copyOf(t, whole).Judge()
	require.NoError(t, err)
	assert.Equal(t, whole.Run.Scenarios[0].Verdict, again.Scenarios[0].Verdict)
}

// Random bodies, which do not compress, are written only up to a bound.
func TestWrittenEvidenceIsBounded(t *testing.T) {
	t.Parallel()
	random := rand.NewChaCha8([32]byte{})
	e := &Evidence{}
	for range 64 {
		body := make([]byte, 200<<10)
		_, _ = random.Read(body)
		e.Records = append(e.Records, &record.Record{Entries: []record.Entry{{Exchange: &exchange.Exchange{ResponseBody: []byte(hex.EncodeToString(body))}}}})
	}
	var file bytes.Buffer
	require.NoError(t, e.WriteAgain(&file))
	assert.Less(t, file.Len(), mostWritten+1<<20)
	again, err := ReadEvidence(&file)
	require.NoError(t, err)
	assert.Less(t, len(again.Records), 64)
	assert.Greater(t, len(again.Records), 32)
}

func TestDamagedEvidenceIsRefused(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	require.NoError(t, (&Evidence{}).Write(&file, &exchange.Redactor{}))
	_, err := ReadEvidence(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	damaged := bytes.Clone(file.Bytes())
	damaged[len(damaged)-6] ^= 1 // of the checksum
	_, err = ReadEvidence(bytes.NewReader(damaged))
	require.ErrorContains(t, err, "corrupt")
}

// ofScenarios are the records of scenarios, without those of the set-up.
func ofScenarios(e *Evidence) []*record.Record {
	return slices.DeleteFunc(slices.Clone(e.Records), (*record.Record).IsOfSetUp)
}

func copyOf(t *testing.T, e *Evidence) *Evidence {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, e.Write(&file, &exchange.Redactor{}))
	read, err := ReadEvidence(&file)
	require.NoError(t, err)
	return read
}

func without(entries []record.Entry, kind record.FactKind) (kept []record.Entry) {
	for _, e := range entries {
		if e.Fact == nil || e.Fact.Kind != kind {
			kept = append(kept, e)
		}
	}
	return kept
}

// Whether a target follows one reading of an open point shows only in several scenarios together,
// also when recorded ones are judged.
func TestRecordedScenariosMustFitOneReading(t *testing.T) {
	t.Parallel()
	seen := func(time, fits string) verdict.Scenario {
		return verdict.Scenario{
			Rule: "cash-out.night-limit", Name: time + " in São Paulo is night in only one zone", Verdict: verdict.Pass,
			Observations: []verdict.Observed{{Point: "the zone of the night", Value: "400", Fits: []string{fits}}},
		}
	}
	judged := func(scenarios ...verdict.Scenario) [2]verdict.Counts {
		run, err := (&Evidence{Run: verdict.Run{Scenarios: scenarios}}).Judge()
		require.NoError(t, err)
		return [2]verdict.Counts{run.Summary().Scenarios, run.Summary().Violations}
	}
	require.Equal(t, [2]verdict.Counts{{verdict.Pass: 2}, {}}, judged(seen("03:01", "UTC"), seen("17:01", "UTC")))
	require.Equal(t, [2]verdict.Counts{{verdict.Pass: 2}, {verdict.Fail: 1}}, judged(seen("03:01", "São Paulo"), seen("17:01", "UTC")))
}

// Records do not show what was not requested: judging them again keeps the failure.
func TestUnsolicitedResponsesStayWhenJudgedAgain(t *testing.T) {
	t.Parallel()
	e := Evidence{Run: verdict.Run{Scenarios: []verdict.Scenario{
		{Rule: "contract.token", Name: unsolicited, Via: setUp + "/", Verdict: verdict.Fail, Finding: &verdict.Finding{Got: unsolicited, About: verdict.About{Kind: verdict.Framing}}},
		{Rule: "contract.token", Name: "found again", Via: setUp + "/", Verdict: verdict.Fail, Finding: &verdict.Finding{Got: "200"}},
	}}}
	run, err := e.Judge()
	require.NoError(t, err)
	require.Len(t, run.Scenarios, 1)
	require.Equal(t, unsolicited, run.Scenarios[0].Name)
}

// What the features tell a gateway to send is no secret: scenarios that expect it are judged again with the same words.
func TestCredentialsOfTheFeaturesAreRecorded(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, publicCredentials())
	secrets := &exchange.Redactor{}
	for _, public := range publicCredentials() {
		e := exchange.Exchange{Party: exchange.Webhook, Header: http.Header{"Authorization": {"Basic " + public}}}
		require.Equal(t, "Basic "+public, secrets.Disguise(publicCredentials()...).Exchange(e).Header.Get("Authorization"))
		require.NotEqual(t, "Basic "+public, secrets.Disguise().Exchange(e).Header.Get("Authorization"))
	}
}
