package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
)

func junitText(t *testing.T, r result.Result) string {
	var b bytes.Buffer
	require.NoError(t, JUnit(&b, r))
	return b.String()
}

// What junit-10.xsd allows, by parent: attributes and, in their order, children.
var junitAllowed = map[string]struct{ attributes, children []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "time"}, []string{"testsuite"}},
	"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}, []string{"properties", "testcase"}},
	"properties": {nil, []string{"property"}},
	"property":   {[]string{"name", "value"}, nil},
	"testcase":   {[]string{"name", "classname", "time"}, []string{"skipped", "error", "failure"}},
	"skipped":    {[]string{"message"}, nil},
	"error":      {[]string{"type", "message"}, nil},
	"failure":    {[]string{"type", "message"}, nil},
}

func TestJUnitHoldsToTheSchema(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r result.Result) {
		d := xml.NewDecoder(strings.NewReader(junitText(t, r)))
		var parents []string
		reached := map[int]int{} // by depth, how far the children of the parent have come
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			require.NoError(t, err)
			switch element := token.(type) {
			case xml.StartElement:
				name, depth := element.Name.Local, len(parents)
				for _, a := range element.Attr {
					assert.Contains(t, junitAllowed[name].attributes, a.Name.Local, name)
				}
				if depth > 0 {
					place := slices.Index(junitAllowed[parents[depth-1]].children, name)
					require.GreaterOrEqual(t, place, reached[depth], "%s in %s", name, parents[depth-1])
					reached[depth] = place
				}
				reached[depth+1] = 0
				parents = append(parents, name)
			case xml.EndElement:
				parents = parents[:len(parents)-1]
			}
		}
	})
}

func TestJUnitCounts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r result.Result) {
		var doc suites
		require.NoError(t, xml.Unmarshal([]byte(junitText(t, r)), &doc))
		var tests, failures, errs int
		for _, s := range doc.Suites {
			assert.Equal(t, len(s.Cases), s.Tests, s.Name)
			for _, c := range s.Cases {
				tests++
				if c.Failure != nil {
					failures++
				}
				if c.Error != nil {
					errs++
				}
			}
		}
		assert.Equal(t, []int{tests, failures, errs}, []int{doc.Tests, doc.Failures, doc.Errors})
	})
}

func TestJUnitTellsWhatFailed(t *testing.T) {
	t.Parallel()
	failing := func(r result.Result) map[string]string {
		var doc suites
		require.NoError(t, xml.Unmarshal([]byte(junitText(t, r)), &doc))
		out := map[string]string{}
		for _, s := range doc.Suites {
			for _, c := range s.Cases {
				for _, p := range []*problem{c.Failure, c.Error} {
					if p != nil {
						out[s.Name+"/"+c.Name] = p.Message + "\n" + p.Text
					}
				}
			}
		}
		return out
	}
	assert.Empty(t, failing(goodRun()))

	bad := failing(badRun())
	assert.Len(t, bad, 8)
	assert.Equal(t, "expected count==0, got 37\nevaluated on the merged data", bad["thresholds/pix_webhooks_lost: count==0"])
	assert.Equal(t, "expected R$ 532,104.55, got R$ 532,062.42: off by -R$ 42.13\nopening balance R$ 1,000,000.00", bad["money/account 2"])
	assert.Contains(t, bad["ledger/webhooks lost"], "expected none, got 37: the payment has an outcome, but no webhook arrived\n2026-03-14T09:30:00.000Z  px")
	assert.Contains(t, bad["ledger/webhooks lost"], "and 27 more in result.json")
	assert.Contains(t, bad["ledger/webhooks malformed"], `<script>alert(2)</script>\u202e\x1b[31m`)
	assert.NotContains(t, bad, "ledger/webhooks late", "worth a look, and no fault by itself")

	stopped := goodRun()
	stopped.Interrupted, stopped.Checks = true, []result.Check{{Name: "taken", Passes: 9, Fails: 1}, {Name: "paid", Passes: 1}}
	assert.Equal(t, map[string]string{
		"generator/the run was not interrupted": "the run was interrupted\nthe run ended early; what was still pending is unknown",
		"checks/taken":                          "failed 1 of 10\n",
	}, failing(stopped))
	assert.Contains(t, failing(emptyRun()), "generator/something was measured")

	empty := goodRun()
	empty.Thresholds[0].NoData = true
	assert.Empty(t, failing(empty))
	assert.Contains(t, junitText(t, empty), `<skipped message="no data to compare`)

	dead := failing(deadRun())
	assert.Contains(t, dead["generator/the generator was not the bottleneck"], "cpu 97%, limit 90%")
}
