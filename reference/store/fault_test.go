package store

import (
	"context"
	"database/sql"
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

// A file that is no database, and one of which a part is overwritten, are reported as damaged.
func TestADamagedDatabaseIsReported(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gateway.db")
	require.NoError(t, os.WriteFile(path, []byte("This is not a database, but a text of some length."), 0o600))
	_, err := Open(t.Context(), path)
	require.ErrorIs(t, err, ErrDamaged)
	assert.EqualError(t, err, fmt.Sprintf("open database %q: it is damaged, or no database; restore a copy, remove it to start anew, or use another directory", path))

	path = filepath.Join(t.TempDir(), "gateway.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := 100; i < 4096; i++ { // the schema, after the header
		content[i] = 0xaa
	}
	require.NoError(t, os.WriteFile(path, content, 0o600))
	_, err = Open(t.Context(), path)
	require.ErrorIs(t, err, ErrDamaged)
}

// The database of another program is refused, and not changed.
func TestAForeignDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"tables": `CREATE TABLE notes (text)`, "a payments table": `CREATE TABLE payments (kind); PRAGMA user_version = 4`, "a version": `PRAGMA user_version = 7`,
	} {
		path := filepath.Join(t.TempDir(), "gateway.db")
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		require.NoError(t, os.Chmod(path, 0o644))
		before, err := os.ReadFile(path)
		require.NoError(t, err)

		_, err = Open(t.Context(), path)
		require.ErrorIs(t, err, ErrForeign, name)
		assert.EqualError(t, err, fmt.Sprintf("open database %q: it is the database of another program; use another directory", path))
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, before, after)
		files, err := filepath.Glob(path + "*")
		require.NoError(t, err)
		assert.Equal(t, []string{path}, files)
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.EqualValues(t, 0o644, info.Mode().Perm())
	}
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
