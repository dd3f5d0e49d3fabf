package steps

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// expectation is what a sentence says of an answer: "accepted with 201", "refused with
// 400 A or B, naming value", "accepted, or refused with 400 or 415".
type expectation struct {
	alternatives []alternative
	naming       []string // what the messages of an HTTP_ERROR must name
	clause       string   // as written
}

// alternative is one way in which the expectation is met.
type alternative struct {
	accepted bool
	statuses []int    // empty: the operation's own status of success
	codes    []string // empty: any
}

func parseExpectation(clause string) (expectation, error) {
	e := expectation{clause: clause}
	outcomes, naming, named := strings.Cut(clause, ", naming ")
	if named {
		e.naming = strings.Split(naming, " and ")
	}
	for _, words := range strings.Split(outcomes, ", or ") {
		a, err := parseAlternative(words)
		if err != nil {
			return expectation{}, fmt.Errorf("%q: %w", clause, err)
		}
		e.alternatives = append(e.alternatives, a)
	}
	return e, nil
}

func parseAlternative(words string) (alternative, error) {
	var a alternative
	word, rest, with := strings.Cut(words, " with ")
	switch {
	case word == "accepted":
		a.accepted = true
	case word == "refused" && with:
	default:
		return a, fmt.Errorf(`expected "accepted", "accepted with STATUS" or "refused with STATUS CODE", found %q`, words)
	}
	for _, token := range strings.Fields(rest) {
		status, err := strconv.Atoi(token)
		switch {
		case token == "or":
		case err == nil && len(a.codes) == 0:
			a.statuses = append(a.statuses, status)
		case err == nil || a.accepted || token != strings.ToUpper(token):
			return a, fmt.Errorf("%q is out of place", token)
		default:
			a.codes = append(a.codes, token)
		}
	}
	if with && len(a.statuses) == 0 {
		return a, fmt.Errorf("%q lacks a status", words)
	}
	return a, nil
}

// mayRefuse tells whether a refusal meets the expectation.
func (e expectation) mayRefuse() bool {
	return slices.ContainsFunc(e.alternatives, func(a alternative) bool { return !a.accepted })
}

// judge holds an attempt against the expectation; nil means that it is met.
func (e expectation) judge(t *attempt) *verdict.Finding {
	finding := &verdict.Finding{Expected: e.spelledOut(t.op), Came: t.summary(), Exchange: t.index}
	if t.exchange.Err != "" || t.exchange.Truncated {
		return finding
	}
	for _, a := range e.alternatives {
		if a.met(t) {
			return e.judgeNaming(t)
		}
	}
	if t.status() == http.StatusNotFound {
		finding.Hint = fmt.Sprintf("%s %s answers 404: is the base URL right, and is the operation there?", t.exchange.Method, t.op.path)
	}
	return finding
}

// spelledOut is the clause with the status that "accepted" stands for.
func (e expectation) spelledOut(op operation) string {
	if !e.alternatives[0].accepted || len(e.alternatives[0].statuses) > 0 {
		return e.clause
	}
	return strings.Replace(e.clause, "accepted", "accepted with "+op.success(), 1)
}

func (a alternative) met(t *attempt) bool {
	if a.accepted && len(a.statuses) == 0 {
		return t.accepted()
	}
	if !slices.Contains(a.statuses, t.status()) {
		return false
	}
	return len(a.codes) == 0 || slices.Contains(a.codes, t.code())
}

// judgeNaming: the messages of a body that was found invalid name each invalid field
// (Errors, envelope A). Other codes speak for themselves.
func (e expectation) judgeNaming(t *attempt) *verdict.Finding {
	if t.code() != "HTTP_ERROR" {
		return nil
	}
	messages := strings.Join(t.messages(), "\n")
	for _, name := range e.naming {
		if !names(messages, name) {
			return &verdict.Finding{
				Expected: fmt.Sprintf("a message that names %s", name),
				Came:     fmt.Sprintf("%q", t.messages()),
				Hint:     "message holds one entry for each invalid field, and each names its field",
				Exchange: t.index,
			}
		}
	}
	return nil
}

// names: a message names a field when its name stands there as a word, and an amount
// with a point or, as Brazil writes it, a comma.
func names(messages, name string) bool {
	word := strings.ReplaceAll(regexp.QuoteMeta(name), `\.`, `[.,]`)
	return regexp.MustCompile(`\b` + word + `\b`).MatchString(messages)
}
