package mutants_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/certs"
)

var authority = sync.OnceValue(func() *certs.Authority { return must(certs.NewAuthority()) })

var issued sync.Map // certificates by name

// certificate is a client certificate that stories name; "expired" is.
func certificate(name string) *certs.Certificate {
	client := certs.Client{Name: name}
	if name == "expired" {
		client.Validity = certs.Expired
	}
	once, _ := issued.LoadOrStore(name, sync.OnceValue(func() *certs.Certificate { return must(authority().Issue(client)) }))
	return once.(func() *certs.Certificate)()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// sink receives the webhooks of all stories, each in a mailbox of its own: the first
// segment of the path.
var sink = sync.OnceValue(func() *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if box, ok := boxes.Load(number); ok {
			box.(*mailbox).receive(w, r)
		}
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{must(authority().IssueServer("127.0.0.1"))}}
	server.StartTLS()
	return server
})

var (
	boxes   sync.Map // by number
	numbers atomic.Int64
)

type mailbox struct {
	base string // URL, with a slash at its end

	mu       sync.Mutex
	statuses map[string]int // by path
	arrived  []string
}

func newMailbox() *mailbox {
	number := strconv.FormatInt(numbers.Add(1), 10)
	box := &mailbox{base: sink().URL + "/" + number + "/", statuses: map[string]int{}}
	boxes.Store(number, box)
	return box
}

func (b *mailbox) url(name string) string { return b.base + name }

// answer has the mailbox answer what comes to a name with a status.
func (b *mailbox) answer(name, status string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.statuses[name], _ = strconv.Atoi(status)
}

func (b *mailbox) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, name, _ := strings.Cut(strings.TrimPrefix(r.URL.RequestURI(), "/"), "/")
	var headers []string
	for header, values := range r.Header {
		if strings.HasPrefix(header, "X") || header == "User-Agent" || header == "Authorization" {
			headers = append(headers, header+": "+values[0])
		}
	}
	slices.Sort(headers)
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Method != http.MethodPost {
		name = r.Method + " " + name
	}
	b.arrived = append(b.arrived, fmt.Sprintf("%s %v %s", name, headers, canonical(decoded(string(body)))))
	path, _, _ := strings.Cut(name, "?")
	if status := b.statuses[path]; status != 0 {
		w.WriteHeader(status)
	}
}

// empty is what arrived, in an order of its own: deliveries have none.
func (b *mailbox) empty(n *names) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var lines []string
	for _, event := range b.arrived {
		lines = append(lines, n.of("event "+event, false))
	}
	slices.Sort(lines)
	return lines
}

// names gives what is random in a transcript names in the order in which it comes, so that
// two gateways that do the same have the same transcript.
type names struct{ known map[string]string }

var (
	random = regexp.MustCompile(`err_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]+|000201[^"]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[ED]\d{20}[A-Z0-9]{11}` +
		`|"(?:id|webhookLogId|accountId|originalTransactionId)":\d+|iVBOR[\w+/=]+`)
	moment   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
	realTime = regexp.MustCompile(`"timestamp":"[^"]+"`) // of refusals: not the account's time
	local    = regexp.MustCompile(`https://127\.0\.0\.1:\d+/\d+`)
)

// of is the text with names in it. What is new to it gets a name, or only a mark.
func (n *names) of(text string, learn bool) string {
	if n.known == nil {
		n.known = map[string]string{}
	}
	text = local.ReplaceAllString(realTime.ReplaceAllString(text, `"timestamp":"<now>"`), "sink")
	text = random.ReplaceAllStringFunc(text, func(s string) string {
		if strings.Contains(s, ofStories) {
			return s
		}
		if name, ok := n.known[s]; ok || !learn {
			return or(name, "<new>")
		}
		n.known[s] = fmt.Sprintf("<%d>", len(n.known)+1)
		return n.known[s]
	})
	return moment.ReplaceAllStringFunc(text, func(s string) string {
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return s
		}
		return at.Add(5 * time.Second).Truncate(30 * time.Second).Format(time.RFC3339) // calls take time
	})
}
