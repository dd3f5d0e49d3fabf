package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TagExpression says which scenarios are meant, by their tags.
type TagExpression struct {
	matches func(tags []string) bool
	tags    []string // that it names
}

// Matches says whether a scenario with these tags is meant.
func (e TagExpression) Matches(tags []string) bool { return e.matches(tags) }

// ParseTags reads a tag expression: tags, bare or in quotes, joined by and, or,
// not and parentheses. not binds closest, then and, then or. @cash-out.accepted
// means one rule; @cash-out, and @cash-out.* as well, means every rule whose name
// begins with "cash-out."; @OUT-067 means the rules that show that statement; any other
// tag means the scenarios that have it. An error gives the position in characters, from
// 1, and says what was expected there.
func ParseTags(expr string) (TagExpression, error) {
	p := &tagParser{text: expr}
	p.next()
	e, err := p.alternatives(0)
	if err != nil {
		return TagExpression{}, err
	}
	if p.token != "" {
		return TagExpression{}, p.expected("and, or, or the end")
	}
	return e, nil
}

// tagMeans says whether the tag of an expression means what bears any of tags.
func tagMeans(tag string, tags []string) bool {
	area := strings.TrimSuffix(tag, ".*") + "."
	return slices.ContainsFunc(tags, func(t string) bool { return t == tag || strings.HasPrefix(t, area) })
}

// foreign are the signs by which other tools join tags; no tag holds one.
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
}

func (p *tagParser) alternatives(depth int) (TagExpression, error) {
	e, err := p.conjunction(depth)
	for err == nil && p.word("or") {
		left := e
		var right TagExpression
		right, err = p.conjunction(depth)
		e = TagExpression{
			matches: func(tags []string) bool { return left.matches(tags) || right.matches(tags) },
			tags:    append(left.tags, right.tags...),
		}
	}
	return e, err
}

func (p *tagParser) conjunction(depth int) (TagExpression, error) {
	e, err := p.operand(depth)
	for err == nil && p.word("and") {
		left := e
		var right TagExpression
		right, err = p.operand(depth)
		e = TagExpression{
			matches: func(tags []string) bool { return left.matches(tags) && right.matches(tags) },
			tags:    append(left.tags, right.tags...),
		}
	}
	return e, err
}

func (p *tagParser) operand(depth int) (TagExpression, error) {
	if depth > deepest {
		return TagExpression{}, p.expected(fmt.Sprintf("no more than %d levels of not and parentheses", deepest))
	}
	switch {
	case p.word("not"):
		e, err := p.operand(depth + 1)
		return TagExpression{matches: func(tags []string) bool { return !e.matches(tags) }, tags: e.tags}, err
	case p.word("("):
		e, err := p.alternatives(depth + 1)
		if err == nil && !p.word(")") {
			err = p.expected("and, or, or a closing parenthesis")
		}
		return e, err
	default:
		return p.tag()
	}
}

func (p *tagParser) tag() (TagExpression, error) {
	tag := p.token
	if quoted(tag) {
		tag = strings.TrimSpace(tag[1 : len(tag)-1])
	}
	if len(tag) < 2 || tag[0] != '@' || strings.ContainsAny(tag, foreign) || strings.ContainsFunc(tag, unicode.IsSpace) {
		return TagExpression{}, p.expected("a tag such as @cash-out.accepted, not, or an opening parenthesis")
	}
	p.next()
	return TagExpression{
		matches: func(tags []string) bool { return tagMeans(tag, tags) },
		tags:    []string{tag},
	}, nil
}

// word takes the next token if it is this word or sign.
func (p *tagParser) word(w string) bool {
	if !strings.EqualFold(p.token, w) {
		return false
	}
	p.next()
	return true
}

// next reads a parenthesis, a quoted text with its quotes, or what stands up to
// white space, a parenthesis or a quote.
func (p *tagParser) next() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			break
		}
		p.at += size
	}
	p.start = p.at
	rest := p.text[p.at:]
	length := len(rest)
	switch {
	case rest == "":
	case strings.IndexByte(`()`, rest[0]) >= 0:
		length = 1
	case strings.IndexByte(`'"`, rest[0]) >= 0:
		if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
			length = end + 2
		}
	default:
		if end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()'"`, r) }); end >= 0 {
			length = end
		}
	}
	p.token = rest[:length]
	p.at += length
}

func quoted(token string) bool {
	return len(token) > 1 && strings.IndexByte(`'"`, token[0]) >= 0 && token[len(token)-1] == token[0]
}

func (p *tagParser) expected(what string) error {
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
	return fmt.Errorf("the tag expression %q at position %d: expected %s, came %s%s",
		p.text, utf8.RuneCountInString(p.text[:p.start])+1, what, came, hint)
}
