package baseline

import (
	"bytes"
	"testing"

	"github.com/pixcert/pixcert/steps/verdict"
)

// FuzzParse reads any baseline, and marks a failure by it.
func FuzzParse(f *testing.F) {
	f.Add([]byte("failures:\n- rule: a.b\n  scenarios: [One]\n  expected: a\n  got: b\n  reason: x\n  expires: 2026-12-31\n"))
	f.Add([]byte("a: &a [x]\nb: &b [*a, *a]\nfailures: [*b, *b]\n"))
	f.Add([]byte("failures: {<<: *x}\n"))
	f.Add([]byte("failures:\n- rule: ../../..\n  foundBy: [\"\\u001b]0;x\\u0007\"]\n  amounts: {a: [b]}\n"))
	f.Add([]byte("failures:\n- rule: a.b\n  scenarios: [One]\n  kind: rejection\n  status: 400\n  code: \"\\u001b\"\n  mustFail: true\n  expected: a\n  got: b\n"))
	f.Add([]byte("failures: [{rule: a.b, scenarios: [One], kind: [movement], status: 9e99, expected: a, got: b}, {rule: a.b, foundBy: [a/b], expected: a, got: b}]"))
	f.Add(bytes.Repeat([]byte("- "), 1000))
	f.Fuzz(func(t *testing.T, content []byte) {
		list, _ := Parse("known.yaml", content)
		if list == nil {
			return
		}
		_ = list.Check(map[string]map[string]bool{"a.b": {"One": true}})
		s := verdict.Scenario{Rule: "a.b", Name: "One", Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "a", Got: "b", Exchange: -1}}
		typed := s
		typed.Finding = &verdict.Finding{Expected: "a", Got: "b", Field: "x: }\n#", About: verdict.About{Kind: verdict.Rejection, Status: 400, Code: "- '}\t\u2028\"\n"}}
		if u, err := Update("known.yaml", content, &verdict.Run{Scenarios: []verdict.Scenario{typed}}); err == nil && u.Added > 0 {
			again, err := Update("known.yaml", u.Content, &verdict.Run{Scenarios: []verdict.Scenario{typed}})
			if err != nil || again.Added > 0 {
				t.Errorf("an updated baseline is not one: %v\n%s", err, u.Content)
			}
		}
		list.Apply(&verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{list.Mark(s, "2026-01-01")}}, "2026-01-01")
	})
}
