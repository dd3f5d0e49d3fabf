package capacity

import (
	"math"
	"math/rand/v2"
	"time"
)

// target is a simulated gateway: what a window at a rate would measure of it. It may
// remember what the windows before have left.
type target interface {
	offer(rate float64, d time.Duration) Window
	rest(d time.Duration) // without load
}

// queue is a single server with a queue (M/M/1): its latency follows from how near the
// rate is to the service rate; beyond that the backlog grows.
type queue struct {
	capacity float64 // per second, at the latency limit of limits
	noise    float64 // relative, of each window
	flaw     float64 // share of the windows that fail by chance
	random   *rand.Rand
	backlog  float64
	leak     float64 // what each waiting request takes away from the service rate
}

var limits = Limits{Latency: 500 * time.Millisecond, Delivery: 2 * time.Second, Failed: 0.001}

// tail is how far the p99 of M/M/1 is from its mean: ln 100.
var tail = math.Log(100)

func (q *queue) offer(rate float64, d time.Duration) Window {
	service := q.capacity + tail/limits.Latency.Seconds()
	if q.noise > 0 {
		service *= 1 + q.noise*(2*q.random.Float64()-1)
	}
	service = max(service-q.leak*q.backlog, service/10)
	w := offered(rate, d)
	grown := max((rate-service)*d.Seconds(), -q.backlog)
	p99 := q.backlog / service
	if rate < service {
		p99 += tail / (service - rate)
	} else {
		p99 += grown / service
	}
	if q.flaw > 0 && q.random.Float64() < q.flaw {
		p99 = 10
	}
	w.Backlog = []int64{int64(q.backlog), int64(q.backlog + grown)}
	q.backlog += grown
	w.Done = int64(min(rate, service) * d.Seconds())
	w.P50, w.P99, w.P999 = seconds(p99/6), seconds(p99), seconds(1.5*p99)
	return w
}

func (q *queue) rest(d time.Duration) {
	q.backlog = max(0, q.backlog-q.capacity/10*d.Seconds())
}

// cliff responds immediately, and above a certain rate only with errors.
type cliff float64

func (c cliff) offer(rate float64, d time.Duration) Window {
	w := offered(rate, d)
	if rate > float64(c) {
		w.Failed = w.Done
	}
	return w
}

func (cliff) rest(time.Duration) {}

// laggard answers in time at any rate, but its webhooks come at a rate of their own.
type laggard float64

func (l laggard) offer(rate float64, d time.Duration) Window {
	w := offered(rate, d)
	w.DeliveryP99 = 100 * time.Millisecond
	w.Backlog = []int64{10, 10 + int64(max(0, rate-float64(l))*d.Seconds())}
	return w
}

func (laggard) rest(time.Duration) {}

// weak is a generator that starts no more than a rate.
type weak float64

func (g weak) offer(rate float64, d time.Duration) Window {
	w := offered(rate, d)
	w.Started = int64(min(rate, float64(g)) * d.Seconds())
	w.Dropped = w.Scheduled - w.Started
	w.Done = w.Started
	return w
}

func (weak) rest(time.Duration) {}

// offered is a window at that rate in which all went well.
func offered(rate float64, d time.Duration) Window {
	n := int64(rate * d.Seconds())
	return Window{
		From: time.Unix(0, 0).UTC(), Duration: d, Scheduled: n, Started: n, Backlog: []int64{0, 0},
		Observation: Observation{
			Done: n, P50: time.Millisecond, P99: 5 * time.Millisecond, P999: 9 * time.Millisecond, CPU: 0.3,
		},
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// explore runs a search against a target to its end.
func explore(cfg Config, t target) (Curve, time.Duration) {
	search, err := New(cfg)
	if err != nil {
		panic(err)
	}
	var spent time.Duration
	for {
		step, more := search.Next()
		if !more {
			return search.Curve(), spent
		}
		t.rest(step.Recovery)
		t.offer(step.Rate, step.Warmup)
		search.Judge(t.offer(step.Rate, step.Window))
		spent += step.Recovery + step.Warmup + step.Window
	}
}
