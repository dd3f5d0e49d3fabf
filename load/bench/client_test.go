package bench

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/faulty"
)

// TestClientCost is how many cash-outs a second each way of sending them makes, and how
// much CPU one takes: closed loops of as many virtual users, against a gateway in another
// process, in rounds, so that noise hits all of them.
func TestClientCost(t *testing.T) {
	needsMeasure(t)
	silent := startTarget(t, faulty.Config{Accounts: 4, Balance: 1 << 50})
	telling := startTarget(t, faulty.Config{Accounts: 4, Balance: 1 << 50, Webhooks: true})
	costs := map[string][]cost{}
	for range *rounds {
		for _, c := range contenders {
			g := silent
			if c.told {
				g = telling
			}
			p := c.launch(t, g)
			costs[c.name] = append(costs[c.name], p.cost(t, g))
			p.end()
		}
	}
	title := fmt.Sprintf("The client's cost: CPU of its process for each cash-out, %d virtual users; medians of %d", virtualUsers, *rounds)
	base := median(costs[contenders[0].name], cost.perCashOut)
	script := median(costs[contenders[len(contenders)-1].name], cost.perCashOut)
	for _, c := range contenders {
		each := median(costs[c.name], cost.perCashOut)
		rate := median(costs[c.name], func(c cost) float64 { return c.rate })
		peak := median(costs[c.name], func(c cost) float64 { return float64(c.peak) })
		found.add(t, title, c.name,
			fmt.Sprintf("%.1f µs, %.2f of net/http's; k6/http's is %.2f of it; %.0f a second, %s", each, each/base, script/each, rate, mebibytes(peak)),
			c.aim(each/base, script/each))
	}
}

// What the extension is to cost at most, in the CPU of plain net/http, and what k6/http is
// to cost at least, in that of the extension.
const (
	mostOfPlain    = 1.5
	leastOfScripts = 2.5
)

func (c contender) aim(ofPlain, ofScripts float64) aim {
	if !c.aimed {
		return aim{}
	}
	return aim{
		fmt.Sprintf("at most %.1f, at least %.1f", mostOfPlain, leastOfScripts),
		ofPlain <= mostOfPlain && ofScripts >= leastOfScripts,
	}
}

const virtualUsers = 8

// contenders are the ways to send cash-outs. The first and the last are what the others
// are compared with.
var contenders = []contender{
	{name: "net/http, encoding/json", role: "plain"},
	{name: "the extension's connections", role: "connections"},
	{name: "extension, many an iteration", script: "cash-out.js", env: []string{"EACH=100", "HTTP_METRICS=true"}, aimed: true},
	{name: "extension, one an iteration", script: "cash-out.js", env: []string{"EACH=1", "HTTP_METRICS=true"}, aimed: true},
	{name: "extension, one, no http_req_*", script: "cash-out.js", env: []string{"EACH=1", "HTTP_METRICS=false"}},
	{name: "extension, one, its webhook matched", script: "cash-out.js", env: []string{"EACH=1", "HTTP_METRICS=true", "WEBHOOKS=true"}, told: true},
	{name: "k6/http, JSON and checks", script: "http.js"},
}

type contender struct {
	name   string
	role   string // of this program; empty: k6 with a script of testdata
	script string
	env    []string
	told   bool // of each payment by a webhook
	aimed  bool // it is what has an aim
}

func (c contender) launch(t *testing.T, g *target) *process {
	t.Helper()
	text, err := json.Marshal(g)
	require.NoError(t, err)
	env := append(c.env, "TARGET="+string(text), "VUS="+strconv.Itoa(virtualUsers), "DURATION=1h", "LISTEN="+freeAddress(t))
	if c.role != "" {
		return launch(t, c.role, env)
	}
	return launchK6(t, c.script, env)
}

// cost is what was observed of a client within a window of its run: neither its start nor
// its end is in it.
type cost struct {
	rate float64       // cash-outs a second
	each time.Duration // CPU for one
	peak int64         // bytes resident at most
}

func (c cost) perCashOut() float64 { return float64(c.each) / float64(time.Microsecond) }

const (
	settled = 5000 // cash-outs before the window
	window  = 3 * time.Second
)

func (p *process) cost(t *testing.T, g *target) cost {
	t.Helper()
	first := g.payments(t)
	require.Eventually(t, func() bool { return !p.running() || g.payments(t) >= first+settled }, time.Minute, 20*time.Millisecond, "no cash-outs came; the client printed:\n%s", &p.output)
	require.True(t, p.running(), "the client ended early; it printed:\n%s", &p.output)
	from, sent, used := time.Now(), g.payments(t), cpu(t, p.pid())
	<-time.After(window)
	sent, used = g.payments(t)-sent, cpu(t, p.pid())-used
	peak, running := resident(p.pid(), "VmHWM")
	require.True(t, running, "the client ended early; it printed:\n%s", &p.output)
	return cost{
		rate: float64(sent) / time.Since(from).Seconds(),
		each: used / time.Duration(max(sent, 1)),
		peak: peak,
	}
}

func median[T any](all []T, of func(T) float64) float64 {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = of(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
