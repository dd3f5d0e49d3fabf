package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/pixcert/pixcert/steps/world"
)

// lockEvery is the interval between attempts to take a lock that another run holds.
const lockEvery = 200 * time.Millisecond

// lockAccounts locks the accounts of the profile against other runs on this machine until this run
// ends, and waits for a run that holds them. Runs on new accounts need no lock.
func (r *prepared) lockAccounts(ctx context.Context) error {
	var held []*flock.Flock
	r.unlock = func() {
		for _, l := range held {
			_ = l.Close() // an error does not matter: the lock ends with the process
		}
	}
	accounts := slices.Clone(r.fixed)
	slices.SortFunc(accounts, func(a, b *world.FixedAccount) int { return strings.Compare(a.Key(), b.Key()) }) // the same order in every run, so that two cannot wait for each other
	for _, a := range accounts {
		l := lockOf(r.target.Profile.BaseURL, a)
		held = append(held, l)
		free, err := l.TryLock()
		if err == nil && !free {
			r.options.Progress.Waiting(fmt.Sprintf("another run that uses the account %s to end (lock %s)", a.ClientID, l.Path()))
			_, err = l.TryLockContext(ctx, lockEvery)
		}
		if err != nil {
			return fmt.Errorf("locking the account %s: %w", a.ClientID, err)
		}
	}
	return nil
}

// lockOf returns the lock file of an account: in the user's cache directory, or among the temporary
// files if there is none.
func lockOf(baseURL string, a *world.FixedAccount) *flock.Flock {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	directory := filepath.Join(cache, "pixcert")
	if err := os.MkdirAll(directory, 0o700); err != nil {
		directory = os.TempDir()
	}
	sum := sha256.Sum256([]byte(baseURL + "\n" + a.Key()))
	return flock.New(filepath.Join(directory, hex.EncodeToString(sum[:12])+".lock"))
}
