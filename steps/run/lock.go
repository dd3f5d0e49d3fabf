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

// lockEvery is the time between two looks whether another run has ended.
const lockEvery = 200 * time.Millisecond

// lockAccounts keeps other runs on this machine from the accounts of the profile until
// this one ends, and waits for one that has them. Runs on new accounts need no lock.
func (r *run) lockAccounts(ctx context.Context) error {
	var held []*flock.Flock
	r.unlock = func() {
		for _, l := range held {
			_ = l.Close() // the process would give it up at its end
		}
	}
	accounts := slices.Clone(r.fixed)
	slices.SortFunc(accounts, func(a, b *world.FixedAccount) int { return strings.Compare(a.Key(), b.Key()) }) // two runs must not wait for each other
	for _, a := range accounts {
		l := lockOf(r.target.Profile.BaseURL, a)
		held = append(held, l)
		free, err := l.TryLock()
		if err == nil && !free {
			r.options.Progress.Waiting(fmt.Sprintf("another run to end, which has the account %s (%s)", a.ClientID, l.Path()))
			_, err = l.TryLockContext(ctx, lockEvery)
		}
		if err != nil {
			return fmt.Errorf("keeping other runs from the account %s: %w", a.ClientID, err)
		}
	}
	return nil
}

// lockOf is the file by which runs know of each other: one for an account of a target, in
// the user's cache or, where there is none, among the temporary files.
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
