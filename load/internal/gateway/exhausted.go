package gateway

import (
	"errors"
	"slices"
	"syscall"
)

// Exhausted says whether an error means that this machine ran out of file descriptors, ports, buffers or memory. The
// gateway has no part in it.
func Exhausted(err error) bool {
	return slices.ContainsFunc(
		[]error{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS, syscall.ENOMEM},
		func(limit error) bool { return errors.Is(err, limit) },
	)
}
