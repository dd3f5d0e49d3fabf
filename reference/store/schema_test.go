package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Data of another version of the schema is refused, and not changed; 0 is one of before versions had numbers.
func TestAnotherSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for _, version := range []int{0, schemaVersion + 1} {
		path := filepath.Join(t.TempDir(), "gateway.db")
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA user_version = %d`, version))
		require.NoError(t, err)
		require.NoError(t, db.Close())
		before, err := os.ReadFile(path)
		require.NoError(t, err)

		_, err = Open(t.Context(), path)
		require.ErrorIs(t, err, ErrVersion)
		assert.EqualError(t, err, fmt.Sprintf("open database %q: another version of pixcert wrote this data: its schema is %d, "+
			"this version reads schema 7; use another directory, or the version that wrote it", path, version))
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, before, after)
	}
}
