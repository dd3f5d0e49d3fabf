package bench

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// TestClientCost measures how many cash-outs per second each client sends, and how much CPU
// each takes: closed loops with the same number of virtual users, against a gateway in another
// process, in rounds, so that noise affects all of them.
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
	title := fmt.Sprintf("Client cost: CPU of its process per cash-out, %d virtual users; medians of %d rounds", virtualUsers, *rounds)
	base := median(costs[contenders[0].name], cost.perCashOut)
	script := median(costs[contenders[len(contenders)-1].name], cost.perCashOut)
	for _, c := range contenders {
		each := median(costs[c.name], cost.perCashOut)
		rate := median(costs[c.name], func(c cost) float64 { return c.rate })
		peak := median(costs[c.name], func(c cost) float64 { return float64(c.peak) })
		found.add(t, title, c.name,
			fmt.Sprintf("%.1f µs, %.2f × net/http, %.2f × k6/http; %.0f/s, %s", each, each/base, each/script, rate, mebibytes(peak)),
			c.aim(each/script))
	}
}

func (c contender) aim(ofScripts float64) aim {
	if c.most == 0 {
		return aim{}
	}
	return aim{fmt.Sprintf("at most %.2f × k6/http", c.most), ofScripts <= c.most}
}

const virtualUsers = 8

// contenders are the ways to send cash-outs. The others are compared with the first and the
// last.
var contenders = []contender{
	{name: "net/http, encoding/json", role: "plain"},
	{name: "vegeta, the same body again", role: "vegeta"},
	{name: "extension, 100 per iteration", script: "cash-out.js", env: []string{"EACH=100"}, most: 1},
	{name: "extension, 1 per iteration", script: "cash-out.js", env: []string{"EACH=1"}, most: 1},
	{name: "extension, 1, webhook matched", script: "cash-out.js", env: []string{"EACH=1", "WEBHOOKS=true"}, told: true, most: 1.25},
	{name: "k6/http, JSON and checks", script: "http.js"},
}

type contender struct {
	name   string
	role   string // of this program; empty: k6 with a script of testdata
	script string
	env    []string
	told   bool    // each payment has a webhook
	most   float64 // its goal: the share of the CPU of k6/http; 0: none
}

func (c contender) launch(t *testing.T, g *target) *process {
	t.Helper()
	text, err := json.Marshal(g)
	require.NoError(t, err)
	env := append(c.env, "TARGET="+string(text), "VUS="+strconv.Itoa(virtualUsers), "DURATION=1h", "LISTEN="+reftest.FreeAddress(t))
	if c.role == "vegeta" {
		env = append(env, "VEGETA="+vegetaProgram(t))
	}
	if c.role != "" {
		return launch(t, c.role, env)
	}
	return launchK6(t, c.script, env)
}

// cost is what was observed of a client within a window of its run, without its start and
// end.
type cost struct {
	rate float64       // cash-outs per second
	each time.Duration // CPU for one
	peak int64         // maximum resident bytes
}

func (c cost) perCashOut() float64 { return float64(c.each) / float64(time.Microsecond) }

const (
	settled = 5000 // cash-outs before the window
	window  = 3 * time.Second
)

func (p *process) cost(t *testing.T, g *target) cost {
	t.Helper()
	first := g.payments(t)
	require.Eventually(t, func() bool { return !p.running() || g.payments(t) >= first+settled }, time.Minute, 20*time.Millisecond, "no cash-outs arrived; the client printed:\n%s", &p.output)
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
