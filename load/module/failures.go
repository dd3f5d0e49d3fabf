package module

import (
	"sync"

	"github.com/pixcert/pixcert/load/gateway"
)

// kinds are the failures of exchanges that were told: the report counts them by status, and
// a script need not log them to know why.
type kinds struct {
	mu   sync.Mutex
	told map[kind]bool
}

type kind struct {
	operation gateway.Operation
	status    int
	why       string // the code of a refusal, or what became of the connection
}

// mostKinds are told of: a gateway may have a code for each request.
const mostKinds = 20

// first says whether a failure is the first of its kind, and to be told.
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

// failed tells of an exchange that failed, if it is the first of its kind.
func (t *test) failed(x *gateway.Exchange) {
	if t.failures.first(x) {
		t.logger.Warnf("%s (the first of its kind; the report counts them)", x.Failure())
	}
}
