package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestFaultsAreToldInASentence(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gateway.db")
	open(t, path)
	_, err := Open(t.Context(), path)
	require.ErrorIs(t, err, ErrInUse)
	assert.EqualError(t, err, fmt.Sprintf("open database %q: another process uses it; stop that process, or use another directory", path))

	path = filepath.Join(readOnly(t), "gateway.db")
	_, err = Open(t.Context(), path)
	require.ErrorIs(t, err, ErrReadOnly)
	assert.EqualError(t, err, fmt.Sprintf("open database %q: it cannot be written; make the directory writable, or use another one", path))
}

// readOnly is a directory in which nobody can create a file; for the superuser a mode is not enough.
func readOnly(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		directory := t.TempDir()
		require.NoError(t, os.Chmod(directory, 0o500))
		return directory
	}
	if _, err := os.Stat("/sys"); err != nil {
		t.Skip("no directory that is read-only for the superuser")
	}
	return "/sys"
}

// A full disk fails the requests that need more space, and those alone: what was answered before is there, the
// books are right, and payments go on once there is space.
func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gateway.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	account := funded(t, s, 1_000_00)
	limit := func(pages string) {
		require.NoError(t, s.write(context.Background(), func(t *tx) error { return t.run(`PRAGMA max_page_count = ` + pages) }))
	}
	limit("1") // which SQLite takes for as many as there are
	var answered []string
	for i := 0; err == nil; i++ {
		p, failed := s.CashOut(t.Context(), account.ID, order(fmt.Sprint(i), 1))
		if err = failed; err == nil {
			answered = append(answered, p.TransactionID)
		}
		require.Less(t, i, 10_000)
	}
	require.ErrorIs(t, err, ErrFull)
	require.ErrorContains(t, err, "the disk is full")
	requireBalance(t, s, account.ID, 1_000_00-pix.Centavos(len(answered)), pix.Centavos(len(answered)))

	limit("100000")
	_, err = s.CashOut(t.Context(), account.ID, order("later", 1))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	s = open(t, path)
	for _, id := range answered {
		_, err := s.Payment(t.Context(), account.ID, id)
		require.NoError(t, err)
	}
	requireBalance(t, s, account.ID, 1_000_00-pix.Centavos(len(answered)+1), pix.Centavos(len(answered)+1))
}
