package mutants_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/certs"
)

// A story is a sequence of calls as a text, in which calls stand between semicolons:
//
//	manual; out 10.00 externalId=x as a; settle $a.tid; out 10.00 externalId=x =400
//
// Each begins with a verb (verbs) and its arguments. A name with a value changes a field
// of the request, or drops it (externalId=-); "as a" keeps the answer, of which $a.tid is
// a field; =400 is what the plain reference answers, 2xx where nothing is said. "3x"
// repeats a call, with its number for each #; "B." has a second account make it.

// step is one call of a story.
type step struct {
	actor, verb string
	args        []string // without a name, in order
	edits       [][2]string
	as          string
	want        string // status of the plain reference: "400", "4xx"; empty: 2xx
}

var repetition = regexp.MustCompile(`^(\d+)x$`)

// parse reads a story.
func parse(story string) (steps []step) {
	for _, text := range strings.Split(story, ";") {
		words := split(strings.TrimSpace(text))
		times := 1
		if m := repetition.FindStringSubmatch(words[0]); m != nil {
			times, _ = strconv.Atoi(m[1])
			words = words[1:]
		}
		for i := range times {
			numbered := make([]string, len(words))
			for j, word := range words {
				numbered[j] = strings.ReplaceAll(word, "#", strconv.Itoa(i+1))
			}
			s := parseStep(numbered)
			if times > 1 && s.as != "" {
				s.as += strconv.Itoa(i + 1)
			}
			steps = append(steps, s)
		}
	}
	return steps
}

var edit = regexp.MustCompile(`^([\w.]+)=(.*)$`)

func parseStep(words []string) step {
	s := step{verb: words[0]}
	if actor, verb, ok := strings.Cut(words[0], "."); ok {
		s.actor, s.verb = actor, verb
	}
	for i := 1; i < len(words); i++ {
		switch word := words[i]; {
		case word == "as":
			i++
			s.as = words[i]
		case strings.HasPrefix(word, "="):
			s.want = word[1:]
		default:
			if m := edit.FindStringSubmatch(word); m != nil {
				s.edits = append(s.edits, [2]string{m[1], m[2]})
			} else {
				s.args = append(s.args, word)
			}
		}
	}
	return s
}

// split cuts a text at blanks outside single quotes.
func split(text string) (words []string) {
	var word strings.Builder
	quoted, begun := false, false
	for _, r := range text {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case r == ' ' && !quoted:
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// actor is an account that makes calls.
type actor struct {
	id                 string
	clientID, secret   string
	certificate, token string
	removed            bool
}

// player plays a story on a gateway.
type player struct {
	api, controls string // base URLs
	box           *mailbox
	actors        map[string]*actor
	order         []*actor // as they came
	answers       map[string]any
	count         int // of what needs a name of its own
	names         names
	transcript    []string
	unexpected    []string // statuses that the story did not expect
}

// started is the time of an account when its story begins: noon in São Paulo.
const started = "2026-03-03T15:00:00Z"

// play plays a story and returns what a client saw, the same for the same behaviour.
func (p *player) play(story string) (transcript string, err error) {
	if _, err := p.actor(""); err != nil {
		return "", err
	}
	for _, s := range parse(story) {
		if err := p.step(s); err != nil {
			return "", fmt.Errorf("%s: %w", s.verb, err)
		}
	}
	p.transcript = append(p.transcript, p.box.empty(&p.names)...)
	return strings.Join(p.transcript, "\n"), nil
}

func (p *player) actor(name string) (*actor, error) {
	if a, ok := p.actors[name]; ok {
		return a, nil
	}
	a := &actor{certificate: name}
	if name == "" {
		a.certificate = "1"
	}
	_, made, err := p.call(http.MethodPost, p.controls+"/accounts", nil, map[string]any{"certificate": string(certificate(a.certificate).PEM())})
	if err != nil {
		return nil, err
	}
	account, _ := made.(map[string]any)
	a.id, a.clientID, a.secret = fmt.Sprint(account["accountId"]), fmt.Sprint(account["clientId"]), fmt.Sprint(account["clientSecret"])
	p.actors[name] = a
	p.order = append(p.order, a)
	for _, setting := range []step{{verb: "fund", args: []string{"1000.00"}}, {verb: "clock", args: []string{started}}, {verb: "token"}} {
		setting.actor = name
		if _, _, err := p.perform(a, setting); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// step makes a call and notes what it was answered.
func (p *player) step(s step) error {
	a, err := p.actor(s.actor)
	if err != nil {
		return err
	}
	status, answer, err := p.perform(a, s)
	if err != nil {
		return err
	}
	if s.as != "" {
		p.answers[s.as] = answer
		p.answers[strings.TrimRight(s.as, "0123456789")] = answer
	}
	p.transcript = append(p.transcript, p.names.of(fmt.Sprintf("%s %d %s", s.verb, status, canonical(answer)), true))
	if want := strings.ReplaceAll(s.want, "xx", ""); !strings.HasPrefix(strconv.Itoa(status), or(want, "2")) {
		p.unexpected = append(p.unexpected, fmt.Sprintf("%s %v: expected %s, got %d %s", s.verb, s.args, or(s.want, "2xx"), status, canonical(answer)))
	}
	return p.settle()
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// settle waits until nothing that is due is left to do: moving the clock by nothing does.
func (p *player) settle() error {
	for _, a := range p.order {
		if a.removed {
			continue
		}
		if _, _, err := p.call(http.MethodPut, p.controls+"/accounts/"+a.id+"/clock", nil, map[string]any{"advance": "0s"}); err != nil {
			return err
		}
	}
	return nil
}

// perform makes the call of a step, or does what a verb without a call says.
func (p *player) perform(a *actor, s step) (status int, answer any, err error) {
	if a == nil {
		a = &actor{} // of a call that is about no account
	}
	for i := range s.args {
		s.args[i] = p.resolve(s.args[i])
	}
	switch s.verb {
	case "use":
		a.token = s.args[0]
		return http.StatusOK, nil, nil
	case "sink":
		p.box.answer(s.args[0], s.args[1])
		return http.StatusOK, nil, nil
	}
	v, ok := verbs[s.verb]
	if !ok {
		return 0, nil, fmt.Errorf("there is no such verb")
	}
	p.count++
	r := &request{method: v.method, path: v.path, header: http.Header{}, query: url.Values{}, actor: a, player: p}
	if v.body != "" {
		r.body = decoded(strings.ReplaceAll(v.body, "#", strconv.Itoa(p.count)))
	}
	base := p.api
	if v.control {
		base = p.controls
	} else if s.verb != "token" {
		r.header.Set("Authorization", "Bearer "+a.token)
	}
	if err := v.fill(r, s); err != nil {
		return 0, nil, err
	}
	target := base + strings.NewReplacer("{account}", a.id, "{n}", strconv.Itoa(p.count)).Replace(r.path)
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	status, answer, err = p.call(r.method, target, r.header, r.body)
	if s.verb == "token" && status == http.StatusCreated {
		a.token = find(answer, "access_token")
	}
	a.removed = a.removed || s.verb == "remove"
	return status, answer, err
}

var client = &http.Client{}

func (p *player) call(method, target string, header http.Header, body any) (int, any, error) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(canonical(body))
	}
	r, err := http.NewRequest(method, target, content)
	if err != nil {
		return 0, nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil || len(raw) == 0 {
		return response.StatusCode, nil, err
	}
	return response.StatusCode, decoded(string(raw)), nil
}

var referred = regexp.MustCompile(`\$(\w+)\.?([\w.]*)`)

// short are the fields that stories name most.
var short = map[string][]string{
	"tid": {"transactionId"}, "e2e": {"endToEndId"}, "rtr": {"rtrId"}, "code": {"pixCode", "location"}, "": {"access_token"},
}

// resolve puts fields of earlier answers in place of their names.
func (p *player) resolve(text string) string {
	return referred.ReplaceAllStringFunc(text, func(name string) string {
		m := referred.FindStringSubmatch(name)
		answer, path := p.answers[m[1]], m[2]
		if i, rest, ok := strings.Cut(path, "."); ok && isNumber(i) {
			answer, path = item(answer, i), rest
		}
		for _, field := range append(short[path], path) {
			if found := find(answer, field); found != "" {
				return found
			}
		}
		return "missing"
	})
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

// item is one of the data of a list.
func item(list any, i string) any {
	o, _ := list.(map[string]any)
	data, _ := o["data"].([]any)
	if n, _ := strconv.Atoi(i); n < len(data) {
		return data[n]
	}
	return nil
}

func find(answer any, field string) string {
	o, _ := answer.(map[string]any)
	if v, ok := o[field]; ok && v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

func decoded(text string) any {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() {
		return text
	}
	return v
}

func canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // it was decoded from JSON
	return bytes.TrimSpace(b.Bytes())
}

// literal is the value of a field as a story writes it: JSON, a word, or a letter so many
// times ("a*141").
func literal(text string) any {
	if letter, n, ok := strings.Cut(text, "*"); ok && isNumber(n) {
		times, _ := strconv.Atoi(n)
		return strings.Repeat(letter, times)
	}
	return decoded(text)
}

// with sets the field at a path ("splits.1.name") of an object, or drops it.
func with(v any, path string, value any) any {
	name, rest, deeper := strings.Cut(path, ".")
	switch at := v.(type) {
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i < len(at) {
			if deeper {
				value = with(at[i], rest, value)
			}
			at[i] = value
		}
		return at
	case map[string]any:
		switch {
		case deeper && at[name] == nil:
			at[name] = with(map[string]any{}, rest, value)
		case deeper:
			at[name] = with(at[name], rest, value)
		case value == "-":
			delete(at, name)
		default:
			at[name] = value
		}
	}
	return v
}

// ofStories is what all UUIDs have in common that stories make.
const ofStories = "-0000-4000-8000-"

// key makes a UUID of version 4 of a name.
func key(name string) string {
	h := fnv.New64a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x%s%012x", h.Sum64()>>32, ofStories, h.Sum64()&0xffffffffffff)
}

func certificateHeader(name string) string { return certs.Header(certificate(name).PEM()) }
