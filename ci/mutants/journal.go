package mutants

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// journal is what a seam has seen since it was put in place, in the order in which
// calls came. It holds every call: mutants are short-lived.
type journal struct {
	mu      sync.Mutex
	entries []*entry
	at      map[*endpoint][]*entry
	clients map[string]string // by access token
	issues  map[string]*entry // the token request that gave each access token
	changed chan struct{}     // closed when a call begins, and then made anew
}

// entry is a call with its answer, which is nil while the call runs.
type entry struct {
	call   *call
	answer *answer
	ended  int // the number of the next call when this one ended
}

func newJournal() *journal {
	return &journal{at: map[*endpoint][]*entry{}, clients: map[string]string{}, issues: map[string]*entry{}, changed: make(chan struct{})}
}

// begin notes a call and finds out whose it is.
func (j *journal) begin(c *call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c.number = len(j.entries)
	c.client = j.clientOf(c)
	e := &entry{call: c}
	j.entries = append(j.entries, e)
	j.at[c.endpoint] = append(j.at[c.endpoint], e)
	close(j.changed)
	j.changed = make(chan struct{})
}

// clientOf is the clientId of a token request, that of the token under which another
// call goes, or the number of the account that a control is about.
func (j *journal) clientOf(c *call) string {
	if token, ok := bearerOf(c); ok {
		return j.clients[token]
	}
	if c.endpoint == token {
		return textAt(c.body, "clientId")
	}
	if _, rest, ok := strings.Cut(c.path, "/accounts/"); ok {
		id, _, _ := strings.Cut(rest, "/")
		return id
	}
	return ""
}

func (j *journal) end(c *call, a *answer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.entries[c.number]
	e.answer, e.ended = a, len(j.entries)
	if c.endpoint == token && a.succeeded() {
		issued := textAt(a.body, "access_token")
		j.clients[issued], j.issues[issued] = c.client, e
	}
}

// issueOf is the request that gave the token of a call; nil where none did.
func issueOf(c *call) *entry {
	t, _ := bearerOf(c)
	c.journal.mu.Lock()
	defer c.journal.mu.Unlock()
	return c.journal.issues[t]
}

// before is what came to the endpoint before the call and stands in all the relations
// to it, which look at no journal; the earliest first.
func (c *call) before(at *endpoint, relations ...relation) []*entry {
	c.journal.mu.Lock()
	defer c.journal.mu.Unlock()
	return c.related(c.journal.at[at], relations)
}

// earlier is before for calls to any endpoint.
func (c *call) earlier(relations ...relation) []*entry {
	c.journal.mu.Lock()
	defer c.journal.mu.Unlock()
	return c.related(c.journal.entries, relations)
}

func (c *call) related(entries []*entry, relations []relation) (found []*entry) {
	for _, e := range entries {
		if e.call.number >= c.number {
			break
		}
		if !slices.ContainsFunc(relations, func(holds relation) bool { return !holds(c, e) }) {
			found = append(found, e)
		}
	}
	return found
}

// firstBefore and lastBefore are the first and the last of what came before; nil where
// nothing did.
func (c *call) firstBefore(at *endpoint, relations ...relation) *entry {
	if found := c.before(at, relations...); len(found) > 0 {
		return found[0]
	}
	return nil
}

func (c *call) lastBefore(at *endpoint, relations ...relation) *entry {
	if found := c.before(at, relations...); len(found) > 0 {
		return found[len(found)-1]
	}
	return nil
}

// joined says whether another call of the same client to the same endpoint runs, or
// ran, while this one does. It waits for one as long as within says: requests that are
// sent at once need not arrive so.
func (c *call) joined(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		overlapping, changed := c.journal.overlapping(c)
		if overlapping {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			return false
		case <-c.original.Context().Done():
			return false
		}
	}
}

// overlapping looks for a call that joins c, and gives what is closed when the next begins.
func (j *journal) overlapping(c *call) (found bool, changed <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, e := range j.entries {
		overlaps := e.answer == nil || e.ended > c.number
		if i != c.number && overlaps && e.call.endpoint == c.endpoint && e.call.client == c.client {
			return true, j.changed
		}
	}
	return false, j.changed
}

// bearerOf is the access token under which a call goes.
func bearerOf(c *call) (token string, ok bool) {
	return strings.CutPrefix(c.header.Get("Authorization"), "Bearer ")
}
