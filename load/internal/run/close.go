package run

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
)

// How long the end may take in addition to draining: reading the lists, each pass through the look-ups, and the balances,
// which are checked even if a gateway is slow to list payments.
const (
	listing   = time.Minute
	lookingUp = 4 * time.Minute
	auditing  = time.Minute
)

// Close waits up to the drain time for pending webhooks, looks up the payments whose outcome no webhook reported, and compares
// each balance with the ledger. These requests are not measured; what they do not find out is unknown. If ctx is cancelled,
// Close skips the rest, and counts no webhook as lost. It returns nil if the run was never prepared.
func (r *Run) Close(ctx context.Context) *result.Result {
	_ = r.preparing.Acquire(context.WithoutCancel(ctx), 1)
	r.closed = true
	r.preparing.Release(1)
	r.cut = func() bool { return ctx.Err() != nil }
	if !r.Prepared() {
		if r.sink != nil { // it failed later
			_ = r.sink.Close(ctx)
		}
		return nil
	}
	ended := time.Now()
	cpu := r.monitor.load()
	s := r.network.Unmeasured
	r.drain(ctx, r.draining())
	r.step("reading the gateway's lists", func() { r.lookUp(ctx, s) })
	r.step("waiting for webhooks of payments that have just ended", func() { r.drain(ctx, r.grace.until) })
	if r.sink != nil {
		// The ledger has what was received so far. It must not learn of a payment that ends
		// after a balance was read: that would look like drift.
		r.step("receiving the last webhooks", func() { _ = r.sink.Close(ctx) })
	}
	r.monitor.stop()
	r.step("comparing balances", func() { r.audit(ctx, s) })
	if r.controls != nil {
		r.controls.Close()
	}
	cut := r.cut()
	r.cut = func() bool { return cut }
	r.ledger.Close(cut)
	return r.result(ended, cpu)
}

// step does a part of closing, and says so if it takes more than a second.
func (r *Run) step(what string, do func()) {
	if r.config.Say != nil {
		defer time.AfterFunc(time.Second, func() { r.config.Say(what) }).Stop()
	}
	do()
}

// drain waits until no webhook is pending, or until a time.
func (r *Run) drain(ctx context.Context, until time.Time) {
	if r.sink == nil {
		return
	}
	select {
	case <-r.ledger.Idle():
	case <-time.After(time.Until(until)):
	case <-ctx.Done():
	}
}

// draining is how long the end waits for webhooks.
func (r *Run) draining() time.Time {
	if r.drainUntil.IsZero() {
		r.drainUntil = time.Now().Add(r.config.Drain)
	}
	return r.drainUntil
}

// How long a balance may lag behind the webhooks, for example if it is read from a replica,
// and how long to wait before it is requested again.
const (
	catchingUp = 3 * time.Second
	askedAgain = 200 * time.Millisecond
)

// audit compares the balance of each account with the ledger. A balance that differs, or of
// which a part is blocked though payments are pending, is requested again for a short time; the last one counts.
func (r *Run) audit(ctx context.Context, s gateway.Sender) {
	ctx, cancel := context.WithTimeout(ctx, auditing)
	defer cancel()
	latest := time.Now().Add(catchingUp)
	_ = r.each(ctx, func(ctx context.Context, a *gateway.Account) error {
		for {
			balance, _, err := a.Balance(ctx, s)
			if err != nil {
				r.trouble(1, fmt.Errorf("account %d: %w", a.Index, err))
				return nil // continue with the others
			}
			money := r.ledger.Audit(a.Index, balance.Total(), balance.Blocked)
			if money.Drift == 0 && (money.Blocked == 0 || r.ledger.Pending() == 0) || time.Now().After(latest) {
				return nil
			}
			if wait(ctx, askedAgain); ctx.Err() != nil {
				return nil
			}
		}
	})
}

// each runs a function for every account of this instance, several at a time, until the first error.
func (r *Run) each(ctx context.Context, do func(context.Context, *gateway.Account) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, a := range r.accounts {
		group.Go(func() error { return do(ctx, a) })
	}
	return group.Wait()
}

// Check compares an account's balance with the ledger, now. Payments that are sent or end
// during the request may be in the balance or not.
func (r *Run) Check(ctx context.Context, s gateway.Sender, a *gateway.Account) (ledger.Money, error) {
	held := r.ledger.UnderTraffic(a.Index)
	balance, _, err := a.Balance(ctx, s)
	if err != nil {
		return ledger.Money{}, err
	}
	return held(balance.Total()), nil
}

// trouble counts failed final look-ups. Those that were skipped are not the gateway's fault.
func (r *Run) trouble(count int, err error) {
	if r.cut() {
		return
	}
	r.exhausted(err)
	r.troubles.add(count, err)
}

// Trouble is how many final look-ups of balances and payments failed, and the first error.
func (r *Run) Trouble() (count int, first error) { return r.troubles.get() }

func (r *Run) result(ended time.Time, cpu float64) *result.Result {
	config := r.config
	res := &result.Result{
		Schema: result.Schema, Run: r.ID(), Name: config.Name, Instances: config.Instances,
		Script: config.Script, Profile: config.Profile, Target: config.URL.Redacted(), Ledger: r.ledger.Book(),
		Part: result.Part{
			Instance: config.Instance, Segment: config.Segment, Started: r.started.UTC(), Ended: ended.UTC(),
			Environment: result.Environment{
				K6: config.Version, Pixcert: version(), Go: runtime.Version(),
				OS: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0),
			},
			Generator: r.generator.figures(cpu),
		},
	}
	res.Silences = r.silences.longer(res.Generator.Requests.Measured[0])
	if r.sink != nil {
		res.Strays = r.sink.Strays()
	}
	if n, told := r.Thrown(); told {
		res.Thrown = &n
	}
	res.Failures = r.failures.all()
	res.Reasons = r.Invalid(res)
	return res
}

// Invalid are the reasons why the run is invalid, apart from those that depend on thresholds: the load was not the one
// that the script intended, or final look-ups got no response.
func (r *Run) Invalid(res *result.Result) []result.Reason {
	reasons := res.Late()
	r.arrivals.Lock()
	arrivals := r.arrivals.Arrivals
	r.arrivals.Unlock()
	if res.TooManyDropped(arrivals.Dropped) {
		reasons = append(reasons, res.Because(result.Iterations, "too few virtual users: %s of %s arrivals never started, %s waited for a virtual user, maxVUs is %d",
			data.FormatCount(arrivals.Dropped), data.FormatCount(arrivals.Due), data.FormatCount(arrivals.Waited+arrivals.Dropped), arrivals.MaxVUs))
	}
	reasons = append(reasons, r.broken(res)...)
	if r.cut() {
		reasons = append(reasons, res.Because(result.CutShort, "not all webhooks, look-ups and balances were waited for"))
	}
	if unanswered, _ := r.Trouble(); unanswered > 0 {
		reasons = append(reasons, res.Because(result.Unanswered, "the gateway did not respond to %d final look-ups of payments and balances: is it running?", unanswered))
	}
	return reasons
}

// Module of this program, by its path, from the build information; the zero value: it is not known.
func Module(path string) debug.Module {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == path {
				return *m
			}
		}
	}
	return debug.Module{}
}

// version of this module.
func version() string {
	m := Module("github.com/pixcert/pixcert/load")
	if m.Replace != nil { // by a directory, as when xk6 builds a working copy
		return "(devel)"
	}
	return m.Version
}

const atOnce = 8 // how many look-ups or accounts are processed at a time

// lookUp compares the payments with the lists, and looks up those whose outcome no webhook and no
// list reported, and whether repeated payments are listed once. A payment that is not listed yet, or is
// listed as pending, has until the end of the drain time, which may not be over if no webhook was due.
func (r *Run) lookUp(ctx context.Context, s gateway.Sender) {
	undecided := r.list(ctx, s)
	for pause := time.Second; len(undecided) > 0 && ctx.Err() == nil && time.Now().Before(r.draining()); {
		wait(ctx, min(pause, time.Until(r.draining())))
		begun := time.Now()
		undecided = r.list(ctx, s)
		pause = max(pause, time.Since(begun))
	}
	unresolved := append(undecided, r.ledger.Unresolved()...)
	early := time.Now().Before(r.draining())
	if open := r.findAll(ctx, s, unresolved, early); len(open) > 0 {
		wait(ctx, time.Until(r.draining()))
		r.findAll(ctx, s, open, false)
	}
	r.findAll(ctx, s, r.ledger.Repeatedly(), false)
}

// wait waits for a time, or until ctx is done.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// list reads the latest transactions of each account since the run's start, and returns the payments that only
// the lists can report, and have not: at most 1000. What it cannot read within listing is not compared.
func (r *Run) list(ctx context.Context, s gateway.Sender) (undecided []ledger.Payment) {
	ctx, cancel := context.WithTimeout(ctx, listing)
	defer cancel()
	const skew = time.Hour // of the gateway's clock
	var mu sync.Mutex
	read := map[int]bool{}
	_ = r.each(ctx, func(ctx context.Context, a *gateway.Account) error {
		ended, err := a.Since(ctx, s, r.started.Add(-skew), func(l gateway.Listed) {
			if r.ledger.Scan(a.Index, l) && l.Status != "PENDING" {
				r.ended(l.Processed)
			}
		})
		if err != nil && !r.cut() {
			r.ledger.Note(ledger.Example{Sort: "payments_compared", Account: a.Index, At: time.Now().UTC(), Detail: "the list was not read to its end: " + err.Error()}, 0)
		}
		mu.Lock()
		defer mu.Unlock()
		read[a.Index] = ended
		return nil // continue with the others
	})
	return r.ledger.Undecided(read)
}

// findAll looks up payments, and returns those that may change later: of these it records only what is final.
func (r *Run) findAll(ctx context.Context, s gateway.Sender, all []ledger.Payment, early bool) (open []ledger.Payment) {
	ctx, cancel := context.WithTimeout(ctx, lookingUp)
	defer cancel()
	var asking errgroup.Group
	asking.SetLimit(atOnce)
	var mu sync.Mutex
	left := 0
	for _, p := range all {
		if ctx.Err() != nil {
			left++
			continue
		}
		asking.Go(func() error {
			if !r.find(ctx, s, p, early) {
				mu.Lock()
				defer mu.Unlock()
				open = append(open, p)
			}
			return nil
		})
	}
	_ = asking.Wait()
	if left > 0 {
		r.trouble(left, fmt.Errorf("expected all look-ups of payments to complete within %s, %d are left: %w", lookingUp, left, context.Cause(ctx)))
	}
	return open
}

// find looks up one payment, and says whether the result is final. If that fails, the payment stays as it was.
func (r *Run) find(ctx context.Context, s gateway.Sender, p ledger.Payment, early bool) (done bool) {
	at := slices.IndexFunc(r.accounts, func(a *gateway.Account) bool { return a.Index == p.Account })
	if at < 0 {
		return true
	}
	parameter, id := "externalId", p.ID.ExternalID()
	switch {
	case p.EndToEndID != "": // of a refund, the rtrId, which is more reliable
		parameter, id = "endToEndId", p.EndToEndID
	case p.Kind == ledger.Transfer:
		id = p.ID.UUID()
	case p.Kind == ledger.Cob: // which the lists do not show under an id of the run
		return true
	}
	found, err := r.accounts[at].Find(ctx, s, parameter, id)
	if err != nil {
		r.trouble(1, fmt.Errorf("payment %s: %w", p.ID.ExternalID(), err))
		return true
	}
	found = slices.DeleteFunc(found, func(l gateway.Listed) bool { return !p.Kind.LookedLike(l.Operation) })
	if early && (len(found) == 0 || found[0].Status == "PENDING") {
		return false
	}
	if len(found) > 0 && found[0].Status != "PENDING" {
		r.ended(found[0].Processed)
	}
	r.ledger.LookedUp(p.ID, found...)
	if p.Kind == ledger.Refund && len(found) > 0 && p.EndToEndID == "" {
		r.named(p.ID, found[0].EndToEndID) // the response did not contain it
	}
	return true
}

// ended records when a payment that was looked up ended; zero: possibly now. Its webhook is not lost before it would be
// late, but no longer than the drain time.
func (r *Run) ended(at time.Time) {
	r.grace.Lock()
	defer r.grace.Unlock()
	if now := time.Now(); at.IsZero() || at.After(now) { // by the gateway's clock
		at = now
	}
	if until := at.Add(min(r.config.Late, r.config.Drain)); until.After(r.grace.until) {
		r.grace.until = until
	}
}
