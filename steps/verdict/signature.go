package verdict

import (
	"regexp"
	"strings"
)

// Signature is equal for failures that probably have the same cause: what was expected of an
// operation and what was received, without the values that differ from scenario to scenario.
type Signature struct{ Operation, Expected, Got string }

// SignatureOf returns the signature of a failure. What a misfit received does not count: it is a
// list of scenarios, which may differ in another run.
func SignatureOf(operation, expected, got string) Signature {
	if misfit := (Signature{Expected: expected}); misfit.IsMisfit() {
		return misfit
	}
	expected, got = Distinct(expected, got) // an earlier version may have written them
	return Signature{operation, Typical(expected), Typical(got)}
}

// IsMisfit reports whether the failure is one of those that Misfits returns.
func (a Signature) IsMisfit() bool { return strings.HasPrefix(a.Expected, oneReading) }

// Matches reports whether two failures have the same signature. An unknown operation matches any:
// a run may have had no room to keep the exchange that shows it.
func (a Signature) Matches(b Signature) bool {
	if a.Operation == "" || b.Operation == "" {
		a.Operation, b.Operation = "", ""
	}
	return a == b
}

// Amounts tell failures with equal signatures apart: a payment that is debited three times is not the same failure
// as one that is debited twice.
type Amounts struct{ Expected, Got string }

// AmountsOf returns all amounts that were expected, and the first that was got: what follows that, and what a balance
// moved from, tells more of the account than of the failure.
func AmountsOf(expected, got string) Amounts {
	got, _, _ = strings.Cut(got, ", from ")
	return Amounts{strings.Join(amount.FindAllString(expected, -1), " "), amount.FindString(got)}
}

// Amounts are those of a failing scenario; empty if it has no finding.
func (s Scenario) Amounts() Amounts {
	if s.Finding == nil {
		return Amounts{}
	}
	return AmountsOf(s.Finding.Expected, s.Finding.Got)
}

// Contradicts reports whether another amount was got where the same was expected.
func (a Amounts) Contradicts(b Amounts) bool {
	return a.Expected != "" && a.Expected == b.Expected && a.Got != b.Got
}

// Signature is the signature of a failing scenario; empty if it has no finding.
func (s Scenario) Signature() Signature {
	if s.Finding == nil {
		return Signature{}
	}
	return SignatureOf(s.Operation(), s.Finding.Expected, s.Finding.Got)
}

// Operation is the operation that the finding is about; empty for none.
func (s Scenario) Operation() string {
	if e := s.Subject(); e != nil {
		return e.Operation
	}
	return ""
}

// values matches what differs between scenarios that fail for the same cause: URLs, quoted texts,
// ids, amounts, times. What is one of a few, quoted or not, is kept: error codes, states, labels, types of
// events, field names, HTTP statuses and their phrases.
var (
	code   = regexp.MustCompile(`^"([A-Z_]+|(Pix|Refund) (in|out)|Pendente|Confirmado|Error|(cash|refund)_(in|out)|med_[a-z]+|Bad Request|Unauthorized|Forbidden|Not Found|Conflict|Unprocessable Entity|Too Many Requests|Internal Server Error|Service Unavailable)"$`)
	index  = regexp.MustCompile(`\[\d+\]`) // of an array
	values = regexp.MustCompile(`https?://\S+|"[^"]*"|\b[\w-]*\d[\w.:-]*`)
	amount = regexp.MustCompile(`R\$ -?[\d.,]*\d`)
	status = regexp.MustCompile(`^[1-5]\d\d$`)
)

// Stranger is what a listed transaction is called that a scenario did not make.
const Stranger = "another transaction"

// Typical is a text without the values that differ from scenario to scenario.
func Typical(text string) string {
	return values.ReplaceAllStringFunc(withoutIndexes(cut(text)), func(value string) string {
		if status.MatchString(value) || code.MatchString(value) {
			return value
		}
		return "…"
	})
}

// withoutIndexes is a text or the path of a field without the indexes of arrays: what is wrong with one item is most
// often wrong with the others.
func withoutIndexes(text string) string { return index.ReplaceAllString(text, "[…]") }
