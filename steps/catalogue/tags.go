package catalogue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tagExpression reports whether it matches a scenario with these tags.
type tagExpression func(tags []string) bool

// parseTags reads a tag expression: tags, bare or in quotes, joined by and, or,
// not and parentheses. not binds closest, then and, then or. @cash-out.accepted
// means one rule; @cash-out, and @cash-out.* as well, means every rule whose name
// begins with "cash-out."; @OUT-067 means the rules that show that statement; any other
// tag means the scenarios that have it. named are the tags in the expression. An error gives
// the position in characters, from 1, and says what was expected there.
func parseTags(text string) (matches tagExpression, named []string, err error) {
	p := &tagParser{text: text}
	p.next()
	matches = p.alternatives(0)
	if p.token != "" {
		p.expected("and, or, or the end")
	}
	return matches, p.tags, p.err
}

// tagMeans reports whether a tag in an expression matches any of a scenario's tags.
func tagMeans(tag string, tags []string) bool {
	area := strings.TrimSuffix(tag, ".*") + "."
	return slices.ContainsFunc(tags, func(t string) bool { return t == tag || strings.HasPrefix(t, area) })
}

// foreign are the operators of other tools' tag expressions; no tag contains one.
const foreign = "&|!,"

// deepest bounds nesting, because each level is a call.
const deepest = 100

// tagParser reads one token ahead. Its grammar:
//
//	alternatives = conjunction { "or" conjunction }
//	conjunction  = operand { "and" operand }
//	operand      = "not" operand | "(" alternatives ")" | tag
type tagParser struct {
	text  string
	at    int    // in bytes, after token
	start int    // in bytes, of token
	token string // as written; empty at the end
	tags  []string
	err   error // the first
}

func (p *tagParser) alternatives(depth int) tagExpression {
	e := p.conjunction(depth)
	for p.word("or") {
		left, right := e, p.conjunction(depth)
		e = func(tags []string) bool { return left(tags) || right(tags) }
	}
	return e
}

func (p *tagParser) conjunction(depth int) tagExpression {
	e := p.operand(depth)
	for p.word("and") {
		left, right := e, p.operand(depth)
		e = func(tags []string) bool { return left(tags) && right(tags) }
	}
	return e
}

func (p *tagParser) operand(depth int) tagExpression {
	switch {
	case depth > deepest:
		p.expected(fmt.Sprintf("no more than %d levels of not and parentheses", deepest))
		return nil
	case p.word("not"):
		e := p.operand(depth + 1)
		return func(tags []string) bool { return !e(tags) }
	case p.word("("):
		e := p.alternatives(depth + 1)
		if !p.word(")") {
			p.expected("and, or, or a closing parenthesis")
		}
		return e
	default:
		return p.tag()
	}
}

func (p *tagParser) tag() tagExpression {
	tag := p.token
	if quoted(tag) {
		tag = strings.TrimSpace(tag[1 : len(tag)-1])
	}
	if len(tag) < 2 || tag[0] != '@' || strings.ContainsAny(tag, foreign) || strings.ContainsFunc(tag, unicode.IsSpace) {
		p.expected("a tag such as @cash-out.accepted, not, or an opening parenthesis")
		return nil
	}
	p.next()
	p.tags = append(p.tags, tag)
	return func(tags []string) bool { return tagMeans(tag, tags) }
}

// word takes the next token if it is this word or sign.
func (p *tagParser) word(w string) bool {
	if !strings.EqualFold(p.token, w) {
		return false
	}
	p.next()
	return true
}

// tokens are a parenthesis, a quoted text with its quotes, or any text up to white space, a
// parenthesis or a quote.
var tokens = regexp.MustCompile(`^[\s\v\x{85}\pZ]*([()]|'[^']*'|"[^"]*"|(?s:['"].*)|[^\s\v\x{85}\pZ()'"]+|$)`)

func (p *tagParser) next() {
	token := tokens.FindStringSubmatchIndex(p.text[p.at:])
	p.start, p.at = p.at+token[2], p.at+token[3]
	p.token = p.text[p.start:p.at]
}

func quoted(token string) bool {
	return len(token) > 1 && strings.IndexByte(`'"`, token[0]) >= 0 && token[len(token)-1] == token[0]
}

// expected notes the first error and ends the expression.
func (p *tagParser) expected(what string) {
	if p.err != nil {
		return
	}
	came := "the end"
	if p.token != "" {
		came = fmt.Sprintf("%q", p.token)
	}
	hint := ""
	switch {
	case strings.ContainsAny(p.token, foreign):
		hint = "; write and, or, not"
	case p.token != "" && p.token[0] != '@' && strings.IndexByte(`()'"`, p.token[0]) < 0:
		hint = "; a tag begins with @"
	case p.token != "" && !quoted(p.token) && strings.IndexByte(`'"`, p.token[0]) >= 0:
		hint = "; its closing quote is missing"
	}
	p.err = fmt.Errorf("the tag expression %q at position %d: expected %s, got %s%s",
		p.text, utf8.RuneCountInString(p.text[:p.start])+1, what, came, hint)
	p.token = ""
}
