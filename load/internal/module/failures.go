package module

import (
	"sync"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// kinds are the kinds of failures that were logged. The report counts failures by status;
// the log says why without any code in the script.
type kinds struct {
	mu   sync.Mutex
	told map[kind]bool
}

type kind struct {
	operation gateway.Operation
	status    int
	why       string // the error code, or why the connection failed
}

// mostKinds limits how many kinds are logged: a gateway may have a code for each request.
const mostKinds = 20

// first says whether a failure is the first of its kind and should be logged.
func (k *kinds) first(x *gateway.Exchange) bool {
	of := kind{x.Request.Operation, x.Status, x.Code()}
	if x.Status == 0 {
		of.why = failureOf(x.Err).message
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.told[of] || len(k.told) >= mostKinds {
		return false
	}
	if k.told == nil {
		k.told = map[kind]bool{}
	}
	k.told[of] = true
	return true
}

// failed logs a failed exchange if it is the first of its kind.
func (t *test) failed(x *gateway.Exchange) {
	if t.failures.first(x) {
		t.logger.Warnf("%s (only the first of its kind is logged; the report counts all)", x.Failure())
	}
}
