package store

import (
	"errors"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
)

// Faults of what a store is kept in, each as a sentence that says what to do.
var (
	ErrInUse    = errors.New("another process uses it; stop that process, or use another directory")
	ErrFull     = errors.New("the disk is full; free space, or use another directory")
	ErrReadOnly = errors.New("it cannot be written; make the directory writable, or use another one")
	ErrDamaged  = errors.New("it is damaged, or no database; restore a copy, remove it to start anew, or use another directory")
)

// The result codes of SQLite (https://sqlite.org/rescode.html) and errors of the system that mean a fault.
var (
	faultCodes   = map[int]error{5: ErrInUse, 3: ErrReadOnly, 8: ErrReadOnly, 14: ErrReadOnly, 13: ErrFull, 11: ErrDamaged, 26: ErrDamaged}
	systemFaults = map[error]error{fs.ErrPermission: ErrReadOnly, syscall.EROFS: ErrReadOnly, syscall.ENOSPC: ErrFull}
)

// fault is a fault with what it was concluded from, which a person need not read.
type fault struct{ sentence, cause error }

func (f fault) Error() string   { return f.sentence.Error() }
func (f fault) Unwrap() []error { return []error{f.sentence, f.cause} }

// explained makes a fault of an error that means one.
func explained(err error) error {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok {
		if sentence, known := faultCodes[failed.Code()&0xff]; known {
			return fault{sentence, err}
		}
	}
	for cause, sentence := range systemFaults {
		if errors.Is(err, cause) {
			return fault{sentence, err}
		}
	}
	return err
}
