package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

// Difference is one difference between two responses or two webhooks.
type Difference struct {
	Where     string `json:"where"`     // "status", "body", or a field: "details.name", "items[0].id"
	Target    string `json:"target"`    // what the target has there
	Reference string `json:"reference"` // what the reference has
	Matters   bool   `json:"matters"`   // false for a different wording or an additional field
}

const (
	absent  = "absent"
	present = "present"
)

// comparison compares the exchanges of one scenario, in their order.
type comparison struct {
	known   counterparts
	isFresh bool // both ran on new accounts, so amounts are comparable
}

func newComparison(target, reference []exchange.Exchange) *comparison {
	return &comparison{known: newCounterparts(), isFresh: createdAccount(target) == createdAccount(reference)}
}

func createdAccount(all []exchange.Exchange) bool {
	return slices.ContainsFunc(all, func(e exchange.Exchange) bool {
		return e.Party == exchange.Control && e.Operation == "accounts" && e.Method == "POST" && e.Status/100 == 2
	})
}

// differences compares a pair. A webhook that only the reference sent matters if the target
// reached the step.
func (c *comparison) differences(p Pair, reached bool) []Difference {
	switch {
	case p.Target == nil:
		return []Difference{{Where: partOf(p.Reference), Target: absent, Reference: present, Matters: reached && p.Reference.Party == exchange.Webhook}}
	case p.Reference == nil:
		return []Difference{{Where: partOf(p.Target), Target: present, Reference: absent}}
	}
	c.known.learnRequests(p.Target.Exchange, p.Reference.Exchange)
	if p.Target.Party == exchange.Webhook {
		return c.webhooks(p.Target.Exchange, p.Reference.Exchange)
	}
	return c.responses(p.Target.Exchange, p.Reference.Exchange, p.Subject)
}

func partOf(e *Exchange) string {
	if e.Party == exchange.Webhook {
		return "webhook"
	}
	return "request"
}

func (c *comparison) webhooks(target, reference exchange.Exchange) []Difference {
	var found []Difference
	if target.Method != reference.Method {
		found = append(found, Difference{"method", target.Method, reference.Method, true})
	}
	return append(found, c.bodies(target, target.Body, reference.Body, false, false)...)
}

func (c *comparison) responses(target, reference exchange.Exchange, subject bool) []Difference {
	if target.Status == 0 || reference.Status == 0 {
		if target.Status == reference.Status {
			return nil
		}
		return []Difference{{"status", statusOf(target), statusOf(reference), true}}
	}
	var found []Difference
	if target.Status != reference.Status {
		anySuccess := target.Party == exchange.Control && target.Status/100 == 2 && reference.Status/100 == 2 // means the same
		found = append(found, Difference{"status", statusOf(target), statusOf(reference), !anySuccess})
	}
	a, b := mediaType(target), mediaType(reference)
	if a != b {
		found = append(found, Difference{Where: "Content-Type", Target: a, Reference: b})
	}
	return append(found, c.bodies(target, target.ResponseBody, reference.ResponseBody, target.Status/100 != reference.Status/100, target.Method == "GET" && !subject)...)
}

func statusOf(e exchange.Exchange) string {
	if e.Status == 0 {
		return "no response: " + e.Err
	}
	return fmt.Sprint(e.Status)
}

func mediaType(e exchange.Exchange) string {
	given := e.ResponseHeader.Get("Content-Type")
	if given == "" {
		return absent
	}
	if parsed, _, err := mime.ParseMediaType(given); err == nil {
		return parsed
	}
	return exchange.Line(given)
}

// bodies compares two bodies. If one side accepts and the other refuses (opposite), only the
// code is compared: nothing else can be expected to agree. A body that was only read may be in
// an earlier or later state.
func (c *comparison) bodies(of exchange.Exchange, target, reference []byte, opposite, reads bool) []Difference {
	a, isA := decoded(target)
	b, isB := decoded(reference)
	switch {
	case !isA && !isB:
		if c.known.same(string(target), string(reference)) {
			return nil
		}
		return []Difference{{Where: "body", Target: bodyWords(target), Reference: bodyWords(reference)}}
	case !isA || !isB:
		return []Difference{{"body", bodyWords(target), bodyWords(reference), true}}
	case opposite:
		return opposites(a, b)
	}
	t := tree{comparison: c, reads: reads, byKind: !c.isFresh && (strings.Contains(of.Operation, "balance") || strings.Contains(of.Operation, "list"))}
	t.compare("", "", a, b)
	return t.found
}

// decoded decodes JSON; numbers keep their spelling.
func decoded(body []byte) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return v, err == io.EOF
}

func bodyWords(body []byte) string {
	v, isJSON := decoded(body)
	trimmed := strings.ToLower(strings.TrimSpace(string(body[:min(len(body), 256)])))
	switch {
	case len(body) == 0:
		return "no body"
	case isJSON:
		return typeOf(v)
	case strings.HasPrefix(trimmed, "<!doctype html"), strings.HasPrefix(trimmed, "<html"):
		return "an HTML page"
	case strings.HasPrefix(trimmed, "<"):
		return "markup, not JSON"
	default:
		return "not JSON: " + shortly(string(body[:min(len(body), 200)]))
	}
}

func opposites(a, b any) []Difference {
	var found []Difference
	x, y := memberOf(a, "code"), memberOf(b, "code")
	if x != y {
		found = append(found, Difference{"code", x, y, true})
	}
	return append(found, Difference{Where: "members", Target: membersOf(a), Reference: membersOf(b)})
}

func memberOf(v any, name string) string {
	object, _ := v.(map[string]any)
	member, present := object[name]
	if !present {
		return absent
	}
	return shortly(member)
}

func membersOf(v any) string {
	object, isObject := v.(map[string]any)
	if !isObject {
		return typeOf(v)
	}
	return strings.Join(slices.Sorted(maps.Keys(object)), ", ")
}

// tree compares two JSON values recursively.
type tree struct {
	*comparison
	byKind bool // values and amounts belong to the account: compare only their kinds
	reads  bool // the value was only read and can change on its own
	later  bool // one side read a later state
	found  []Difference
}

func (t *tree) differ(where, target, reference string, matters bool) {
	if where == "" {
		where = "body"
	}
	t.found = append(t.found, Difference{exchange.Line(where), target, reference, matters && !t.later})
}

// compare compares the values at a path; member is its last name.
func (t *tree) compare(path, member string, a, b any) {
	if typeOf(a) != typeOf(b) {
		t.differ(path, typeOf(a)+" "+shortly(a), typeOf(b)+" "+shortly(b), true)
		return
	}
	switch a := a.(type) {
	case map[string]any:
		t.objects(path, a, b.(map[string]any))
	case []any:
		t.lists(path, member, a, b.([]any))
	case string:
		t.texts(path, member, a, b.(string))
	case json.Number:
		t.numbers(path, member, a, b.(json.Number))
	case bool:
		if a != b {
			t.differ(path, shortly(a), shortly(b), !t.byKind)
		}
	}
}

// objects: a field that the target lacks matters, unless it is null in the reference too. An
// additional field is allowed. Nothing matters in an object that one side read before it was
// final, and the other after.
func (t *tree) objects(path string, a, b map[string]any) {
	before, _ := a["status"].(string)
	after, _ := b["status"].(string)
	if t.reads && !t.later && before != after && (unfinished[before] || unfinished[after]) {
		t.later = true
		defer func() { t.later = false }()
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		at := strings.TrimPrefix(path+"."+name, ".")
		if _, present := a[name]; present {
			t.compare(at, name, a[name], b[name])
		} else {
			t.differ(at, absent, shortly(b[name]), b[name] != nil)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, present := b[name]; !present {
			t.differ(strings.TrimPrefix(path+"."+name, "."), shortly(a[name]), absent, false)
		}
	}
}

// lists are compared item by item, as far as the shorter reaches: items that stand for the
// same thing with each other, the rest in their order.
func (t *tree) lists(path, member string, a, b []any) {
	if len(a) != len(b) {
		t.differ(path, wording.Count(len(a), "item"), wording.Count(len(b), "item"), !t.byKind && !wordsMembers[member])
	}
	for _, pair := range t.paired(a, b) {
		t.compare(fmt.Sprintf("%s[%d]", path, pair[0]), member, a[pair[0]], b[pair[1]])
	}
}

// paired returns the indexes of the items to compare.
func (t *tree) paired(a, b []any) [][2]int {
	partner := make([]int, len(a)) // in b, counted from 1
	taken := make([]bool, len(b))
	for i := range a {
		j := slices.IndexFunc(b, func(item any) bool { return t.isSame(a[i], item) })
		if j >= 0 && !taken[j] {
			partner[i], taken[j] = j+1, true
		}
	}
	var pairs [][2]int
	next := 0
	for i := range a {
		for partner[i] == 0 && next < len(b) && taken[next] {
			next++
		}
		if partner[i] == 0 && next < len(b) {
			partner[i], taken[next] = next+1, true
		}
		if partner[i] > 0 {
			pairs = append(pairs, [2]int{i, partner[i] - 1})
		}
	}
	return pairs
}

// isSame reports whether an id of one object is the known counterpart of an id of the other.
func (t *tree) isSame(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for name, value := range x {
		id, isText := value.(string)
		if partner, known := t.known.toReference[id]; isText && known && isID(name) && y[name] == partner {
			return true
		}
	}
	return false
}

// lengthOfISPB: a bank that a test environment invents may be one that the suite uses too.
const lengthOfISPB = 8

func (t *tree) texts(path, member, a, b string) {
	if t.known.same(a, b) {
		return
	}
	x, y := kindOf(member, a), kindOf(member, b)
	switch {
	case t.byKind && x == y:
	case wordsMembers[member]:
		t.differ(path, shortly(a), shortly(b), t.known.hasReference(b))
	case x != y, x.words == "":
		t.differ(path, shortly(a), shortly(b), true)
	case !x.identity && t.known.hasReference(b):
		t.differ(path, shortly(a), shortly(b), len(b) > lengthOfISPB)
	case x.identity && !t.known.learn(a, b):
		t.differ(path, "a different "+strings.TrimPrefix(strings.TrimPrefix(x.words, "a "), "an ")+" than before, "+shortly(a), "the same as before, "+shortly(b), true)
	}
}

func (t *tree) numbers(path, member string, a, b json.Number) {
	switch {
	case t.byKind:
	case isID(member):
		if !t.known.learnNumber(member, a, b) {
			t.differ(path, "a different number than before, "+string(a), "the same as before, "+string(b), true)
		}
	case !contract.SameNumber(a, b):
		t.differ(path, string(a), string(b), true)
	}
}
