package pix

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Scenario is a value of the header X-Sandbox-Scenario; the empty one is none. It changes the
// content of the payment's webhook or delays it, never the response to the request.
type Scenario string

const (
	delayedPrefix = "delayed:"
	maxDelay      = 120 * time.Second
)

// scenarios with an outcome. The specification lists seven values of errorCode, of which none fits
// three of the scenarios: these are ORDER_REJECTED, with the code of the cause in errorMessage.
var scenarios = map[Scenario]Result{
	"success":                  {Status: Confirmed},
	"error:insufficient-funds": {Error, OrderRejected, CodeInsufficientBalance + ": simulated"},
	"error:invalid-pix-key":    {Error, OrderRejected, CodeInvalidKey + ": simulated"},
	"error:document-mismatch":  Rejected(TaxIDMismatch),
	"error:account-blocked":    Rejected(BlockedAccount),
	"error:duplicate-id":       {Error, OrderRejected, CodeDuplicateExternalID + ": simulated"},
}

// ParseScenario reads the header's value. One that is not known is a Refusal with
// CodeValidation that lists what is.
func ParseScenario(value string) (Scenario, error) {
	s := Scenario(value)
	if _, ok := scenarios[s]; ok || s == "" || s.Delay() > 0 {
		return s, nil
	}
	return "", Refuse(CodeValidation, fmt.Sprintf("X-Sandbox-Scenario must be success, error:insufficient-funds, "+
		"error:invalid-pix-key, error:document-mismatch, error:account-blocked, error:duplicate-id or "+
		"delayed:<1 to %.0f>s, got %q", maxDelay.Seconds(), value))
}

// Result is the outcome that the scenario imposes on a payment, if it does.
func (s Scenario) Result() (Result, bool) {
	result, ok := scenarios[s]
	return result, ok
}

// Delay is how long the webhook is delayed: 30 seconds for "delayed:30s".
func (s Scenario) Delay() time.Duration {
	rest, isDelay := strings.CutPrefix(string(s), delayedPrefix)
	digits, inSeconds := strings.CutSuffix(rest, "s")
	if !isDelay || !inSeconds || !allDigits(digits) {
		return 0
	}
	seconds, err := strconv.Atoi(digits)
	if delay := time.Duration(seconds) * time.Second; err == nil && seconds <= int(maxDelay.Seconds()) {
		return delay
	}
	return 0
}
