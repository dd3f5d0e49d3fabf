package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

// ErrVersion is the answer to data of another version of this program, ErrForeign to a database of another program.
var (
	ErrVersion = errors.New("another version of pixcert wrote this data")
	ErrForeign = errors.New("it is the database of another program; use another directory")
)

//go:embed schema.sql
var schema string

// schemaVersion is the number of the schema in schema.sql. A database has that of its own in user_version.
const schemaVersion = 7 // those before the first release had 1 to 6

// prepareDatabase makes the tables of a new database. Leases that a crash left behind are void: whoever held them is
// gone.
func prepareDatabase(ctx context.Context, only *sql.Conn, triggers string) (*ids, error) {
	made, err := checkSchema(ctx, only)
	if err != nil {
		return nil, err
	}
	statements := []string{triggers, `UPDATE jobs SET leased_until = 0 WHERE leased_until <> 0`}
	if !made {
		statements = append([]string{schema, fmt.Sprintf(`PRAGMA user_version = %d`, schemaVersion)}, statements...)
	}
	if err := inTransaction(ctx, only, statements); err != nil {
		return nil, err
	}
	return readIDs(ctx, only)
}

// checkSchema reports whether a database has the tables already, and refuses one whose tables are others. It changes
// nothing.
func checkSchema(ctx context.Context, only *sql.Conn) (made bool, err error) {
	var version, tables, own int
	err = errors.Join(
		only.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version),
		only.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(*) FILTER (WHERE name IN ('accounts', 'payments', 'jobs', 'signing_keys'))
			FROM sqlite_schema WHERE type = 'table'`).Scan(&tables, &own))
	switch {
	case err != nil:
		return false, err
	case version == 0 && tables == 0:
		return false, nil
	case own < 4:
		return false, ErrForeign
	case version != schemaVersion:
		return false, fmt.Errorf("%w: its schema is %d, this version reads schema %d; use another directory, or the version that wrote it",
			ErrVersion, version, schemaVersion)
	}
	return true, nil
}

func inTransaction(ctx context.Context, only *sql.Conn, statements []string) error {
	if _, err := only.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	for _, statement := range append(statements, `COMMIT`) {
		if _, err := only.ExecContext(ctx, statement); err != nil {
			_, undo := only.ExecContext(ctx, `ROLLBACK`)
			return errors.Join(err, undo)
		}
	}
	return nil
}
