package steps

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/target"
)

// What an account has done before decides some answers. Those show no fault.

// onOwnURLs: URLs of somebody else that an account of the profile has must not decide what
// becomes of a request.
func (s *scenario) onOwnURLs(ctx context.Context, r *request) error {
	switch {
	case r.actor.fixed != nil && r.op.id == "registerWebhook":
		return s.needsRoom(ctx, r)
	case r.actor.fixed != nil && r.op.id == "resendWebhook":
		return s.needsOneURL(ctx, r)
	}
	return nil
}

// withinLimits: a limit that an account has reached, in a scenario on something else,
// shows the state of the account and no fault: which limits an account has is not said.
// Where the suite can lift them, the scenario is carried out again without any, and a
// limit that is told then is one that the account does not have.
func (s *scenario) withinLimits(t *attempt) error {
	if t.op.makes != payment || t.status() == http.StatusTooManyRequests || t.status() < 400 || !strings.Contains(strings.ToUpper(t.code()), "LIMIT") || s.isAboutLimits() {
		return nil
	}
	canLift := s.run.offered.controls[target.LimitsControl]
	if canLift && s.run.lastTry {
		return nil
	}
	return &unable{
		reason:    fmt.Sprintf("the account has reached a limit (%s): raise it for the test, or offer the test control limits", t.code()),
		undecided: canLift,
	}
}

// liftLimits lets nothing bound what is carried out again, unless that is about limits.
func (s *scenario) liftLimits(ctx context.Context, a *actor) error {
	if !s.run.lastTry || s.isAboutLimits() || !s.run.offered.controls[target.LimitsControl] {
		return nil
	}
	return s.controls().SetLimits(ctx, a.id, noLimits())
}

// isAboutLimits: the scenario sets the limits, or goes beyond one that the profile tells.
func (s *scenario) isAboutLimits() bool {
	return s.ownLimit > 0 || s.plan.calls(target.LimitsControl) && s.run.offered.controls[target.LimitsControl]
}

// isThrottled: a request was refused for those before it, in a scenario that is not about
// that.
func (s *scenario) isThrottled(t *attempt) bool {
	counted := t.op.id == "listMeds" || t.op.id == "resendWebhook" && t.actor.fixed != nil && !s.plan.throttled
	return counted && t.status() == http.StatusTooManyRequests
}

// afterThrottle sends a request again that the target wants later: how many MED lists it
// gives in a minute, and to whom, is left open, and on an account of the profile earlier
// scenarios have had their part of what it gives.
func (s *scenario) afterThrottle(ctx context.Context, t *attempt, prepared target.Request) (*attempt, error) {
	for t.status() == http.StatusTooManyRequests {
		wait := 10 * time.Second
		if seconds := atoi(t.exchange.ResponseHeader.Get("Retry-After")); seconds > 0 {
			wait = time.Duration(min(seconds, int(longest.Seconds()))) * time.Second
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return t, &unable{reason: "the target answers 429, which it may, for longer than a scenario lasts"}
		}
		t = s.keep(&t.request, s.run.client.Send(ctx, prepared))
	}
	return t, t.undecided()
}
