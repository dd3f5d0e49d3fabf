package run

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

func zipped(t testing.TB, content string) []byte {
	t.Helper()
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	_, err := z.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return file.Bytes()
}

func TestHostileEvidenceIsRejected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, says string }{
		"a rule above the report": {`{"Format":1,"Run":{"Scenarios":[{"Rule":"../../..","Verdict":"pass"}]},"Records":[]}`, "expected the name of a rule"},
		"no record":               {`{"Format":1,"Records":[null]}`, "expected a record, got null"},
		"records":                 {`{"Format":1,"Records":[` + strings.Repeat("{},", mostRecords) + `{}]}`, "30000 records"},
		"entries":                 {`{"Format":1,"Records":[{"Entries":[` + strings.Repeat("{},", mostEntries) + `{}]}]}`, "150000 entries of records"},
		"objects":                 {`{"Format":1,"Records":[{"Entries":[` + strings.Repeat("{},", evidenceLimits.Objects) + `{}]}]}`, "800000 objects"},
		"unpacked":                {`{"Format":1,"Terms":{"BasePath":"` + strings.Repeat("0", 10<<20) + `"}}`, "8388608 bytes of a string"},
		"white space":             {`{"Format":1,"Records":[` + strings.Repeat(" ", 10<<20) + `]}`, "4096 bytes between values"},
		"an array":                {`[]`, "expected {, got ["},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadEvidence(bytes.NewReader(zipped(t, c.content)))
			require.ErrorContains(t, err, c.says)
		})
	}
}

// FuzzReadEvidence reads any records, and judges them: neither fails in another way than with an error.
func FuzzReadEvidence(f *testing.F) {
	r := &record.Record{Rule: "token.issued", Name: "x", Entries: []record.Entry{{Exchange: &exchange.Exchange{Party: exchange.API, Method: "GET", URL: "http://gw/x", Status: 200}}}}
	var file bytes.Buffer
	e := &Evidence{Format: format, Run: verdict.Run{Scenarios: []verdict.Scenario{{Rule: "token.issued", Name: "x", Verdict: verdict.Pass}}}, Records: []*record.Record{r}}
	require.NoError(f, e.WriteAgain(&file))
	z, err := gzip.NewReader(&file)
	require.NoError(f, err)
	var plain bytes.Buffer
	_, err = plain.ReadFrom(z)
	require.NoError(f, err)
	f.Add(plain.Bytes())
	f.Add([]byte(`{"Format":1,"Run":{"Scenarios":[{"Rule":"../..","Verdict":"pass"}]},"Records":[null,{"Entries":[{"Step":-1},{"Fact":{"Index":-7}}]}]}`))
	f.Add([]byte(`{"Format":1,"Own":{"Sources":[{"File":"x.feature","Text":"Feature: x"}]},"Records":[]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		e, err := ReadEvidence(bytes.NewReader(zipped(t, string(content))))
		if err != nil {
			return
		}
		_, _ = e.Judge()
	})
}
