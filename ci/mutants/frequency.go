package mutants

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"sync"

	"github.com/pixcert/pixcert/reference/edge"
)

// Frequency is how often a fault shows, of the calls on which it could. The zero value
// is Always.
type Frequency int

const (
	Always Frequency = iota
	EverySecond
	EveryThird
	EverySeventh
	OneInTen // at random
)

var frequencies = []struct {
	flag   string // as the command line spells it
	suffix string // of a mutant's name
	every  uint64
}{
	Always:       {"always", "", 1},
	EverySecond:  {"2nd", ", every 2nd time", 2},
	EveryThird:   {"3rd", ", every 3rd time", 3},
	EverySeventh: {"7th", ", every 7th time", 7},
	OneInTen:     {"1in10", ", one time in ten", 10},
}

// String spells the frequency as ParseFrequency reads it.
func (f Frequency) String() string { return frequencies[f].flag }

// ParseFrequency reads always, 2nd, 3rd, 7th or 1in10.
func ParseFrequency(s string) (Frequency, error) {
	for f := range frequencies {
		if frequencies[f].flag == s {
			return Frequency(f), nil
		}
	}
	return Always, fmt.Errorf("unknown frequency %q: use always, 2nd, 3rd, 7th or 1in10", s)
}

// seed is the same at each start of a mutant, and differs between mutants.
func (m Mutant) seed() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, m.Name, m.salt)
	return h.Sum64()
}

// counter decides which occurrences of a fault show.
type counter struct {
	frequency Frequency
	mu        sync.Mutex
	n         uint64
	random    *rand.Rand
}

func (t *counter) next() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	every := frequencies[t.frequency].every
	t.n++
	if t.frequency == OneInTen {
		return t.random.Uint64N(every) == 0
	}
	return t.n%every == 0
}

// at is the change with its effect on some calls only. The effect is whatever another
// gateway would not do: a call that is passed on altered, again or not at all, or an
// altered answer. A call on which nothing of that happens does not count; of those that
// count, the counter picks the ones on which it happens, and the others are passed on
// once, as they came. Finding out takes time, and is left out where nobody asks.
func (ch change) at(m Mutant) change {
	counter := &counter{frequency: m.Frequency, random: rand.New(rand.NewPCG(m.seed(), 0))}
	return func(c *call, next server) *answer {
		if m.Frequency == Always && !m.counts() {
			return ch(c, next)
		}
		o := &occurrence{counter: counter, call: c.faultless(), next: next}
		a := ch(c, o.pass)
		if o.correct != nil && a.same(o.correct) && !o.counted {
			return a
		}
		if !o.shows() {
			return o.correctly()
		}
		if m.shown != nil && o.isSeen(a) {
			m.shown.Add(1)
			if m.inconclusive != nil && (m.fault.latent || o.isInconclusive(a)) {
				m.inconclusive.Add(1)
			}
		}
		return a
	}
}

// occurrence is a call on its way through a change that shows at some frequency.
type occurrence struct {
	counter *counter
	call    *call // as a faultless gateway passes it on
	next    server
	correct *answer // to that call, once it was passed on
	counted bool
	shown   bool // if counted
	acted   bool // the gateway did what it was not asked for
}

// pass is the server that the change sees.
func (o *occurrence) pass(c *call) *answer {
	unchanged := c.same(&o.call.message) && c.original.URL.EscapedPath() == o.call.original.URL.EscapedPath()
	if o.correct == nil && !o.counted && unchanged {
		return o.correctly()
	}
	if !o.shows() {
		return o.correctly()
	}
	a := o.next(c)
	borrows := c.endpoint == token && o.call.endpoint != token // a token that the client never sees changes nothing
	o.acted = o.acted || c.method != http.MethodGet && a.status < 400 && !borrows
	return a
}

// isSeen reports whether the fault made a difference: another answer, or something done. What
// it tried may have been refused as well. Of what changes nothing, the right answer can still be
// asked for; errors differ in their ids.
func (o *occurrence) isSeen(a *answer) bool {
	canAsk := o.call.method == http.MethodGet || o.call.endpoint == token && a.status >= 400
	if o.correct == nil && o.shown && canAsk {
		right := o.correctly()
		if a.status >= 400 {
			return a.status != right.status || textAt(a.body, "code") != textAt(right.body, "code")
		}
		return !a.same(right)
	}
	return o.acted || o.correct == nil || !a.same(o.correct)
}

// isInconclusive reports whether nothing may depend on the fault: it is in a setting or a registration that is
// answered as it should be, so that only what is done later can differ; it refuses a request that the right
// gateway may refuse as well; or it adds to an error what a client has to ignore.
func (o *occurrence) isInconclusive(a *answer) bool {
	if o.correct != nil {
		return !o.acted && o.correct.status >= 400 && o.correct.status == a.status && onlyAdds(a.body, o.correct.body)
	}
	at := o.call.endpoint
	prepares := at == registration || at != nil && at.seam == controls && at.method == http.MethodPut
	refuses := !o.acted && a.status >= 400 && a.status < 500
	return refuses || prepares && a.succeeded()
}

// onlyAdds reports whether an object has all that another has, and more.
func onlyAdds(body, to []byte) bool {
	more, _ := decode(body)
	less, _ := decode(to)
	object, is := more.(map[string]any)
	before, was := less.(map[string]any)
	for name, value := range before {
		is = is && reflect.DeepEqual(object[name], value)
	}
	return is && was && len(object) > len(before)
}

// correctly passes the call on as it should be, the first time.
func (o *occurrence) correctly() *answer {
	if o.correct == nil {
		o.correct = o.next(o.call)
	}
	return o.correct
}

// shows counts the call, once, and reports whether the fault shows on it.
func (o *occurrence) shows() bool {
	if !o.counted {
		o.counted, o.shown = true, o.counter.next()
	}
	return o.shown
}

// faultless is the call as a gateway without faults passes it on: unchanged, except at
// the edge, where a fault takes the place of the gateway's own.
func (c *call) faultless() *call {
	if c.endpoint == nil || c.endpoint.seam != ahead {
		return c
	}
	return c.edited(func(m *message) {
		m.header = edge.Without(m.header)
		if shown := edge.HeaderValue(c.original.TLS); shown != "" {
			m.header.Set(edge.Header, shown)
		}
	})
}

func (a *answer) same(b *answer) bool {
	return a == b || a.err == nil && b.err == nil && a.message.same(&b.message)
}

// same reports whether a message says what n does: its query may be written differently, and
// so may its JSON if the difference is only that an edit has encoded it again.
func (m *message) same(n *message) bool {
	return m.method == n.method && m.path == n.path && m.status == n.status && m.late == n.late && m.pieces == n.pieces &&
		sameQuery(m.query, n.query) && equalHeaders(m.header, n.header) && sameJSON(m.body, n.body)
}

func sameQuery(a, b string) bool {
	if a == b {
		return true
	}
	x, wrong := url.ParseQuery(a)
	y, wrongToo := url.ParseQuery(b)
	return wrong == nil && wrongToo == nil && reflect.DeepEqual(x, y)
}

func equalHeaders(a, b http.Header) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, ok := decode(a)
	y, okToo := decode(b)
	return ok && okToo && reflect.DeepEqual(x, y) && !repeatsKey(b) && bytes.Equal(a, encode(x))
}
