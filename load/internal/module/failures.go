package module

import "github.com/pixcert/pixcert/load/internal/gateway"

// kind is the kind of a failure. The report counts failures by status; the log says why without
// any code in the script, also of a request that is then sent again with a new access token.
type kind struct {
	operation gateway.Operation
	status    int
	why       string // the API's error code, or k6's if there is no response
}

// mostKinds limits how many kinds are logged: a gateway may have a code for each request.
const mostKinds = 20

// failed logs a failed exchange if it is the first of its kind.
func (t *test) failed(x *gateway.Exchange) {
	of := kind{x.Request.Operation, x.Status, x.Code()}
	switch {
	case x.Status == 0:
		of.why = x.ErrorCode
	case x.Invalid != nil:
		of.why = "invalid"
	}
	t.failures.Lock()
	first := !t.failures.told[of] && len(t.failures.told) < mostKinds
	if first {
		t.failures.told[of] = true
	}
	t.failures.Unlock()
	if first {
		t.logger.Warnf("%s (only the first of its kind is logged; the report counts failed calls and rejected access tokens)", x.Failure())
	}
}
