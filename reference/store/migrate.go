package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strings"
)

// ErrNewer is the answer to data of a later version of this program, ErrForeign to a database of another program.
var (
	ErrNewer   = errors.New("a newer version of pixcert wrote this data")
	ErrForeign = errors.New("it is the database of another program; use another directory")
)

//go:embed schema.sql
var schema string

// migrations holds N.sql for each schema N but the first: what makes it of the one before.
//
//go:embed migrations
var migrations embed.FS

// schemaVersion is the number of the schema in schema.sql. A database has the number of its own in user_version.
const schemaVersion = 6

// prepareDatabase makes the tables of a new database, and brings those of an old one up to date. Leases that a
// crash left behind are void: whoever held them is gone.
func prepareDatabase(ctx context.Context, only *sql.Conn, triggers string) (*ids, error) {
	version, err := versionOf(ctx, only)
	if err != nil {
		return nil, err
	}
	if version > schemaVersion {
		return nil, fmt.Errorf("%w: its schema is %d, this version reads schemas up to %d; update pixcert or use another directory",
			ErrNewer, version, schemaVersion)
	}
	if err := inTransaction(ctx, only, append(steps(version), triggers, `UPDATE jobs SET leased_until = 0 WHERE leased_until <> 0`)); err != nil {
		return nil, err
	}
	return readIDs(ctx, only)
}

// versionOf returns the schema of a database, 0 for a new one. It changes nothing.
func versionOf(ctx context.Context, only *sql.Conn) (version int, err error) {
	var tables, own int
	var allKinds, spaces bool
	err = errors.Join(
		only.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version),
		only.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(*) FILTER (WHERE name IN ('accounts', 'payments', 'jobs', 'signing_keys')),
			EXISTS (SELECT 1 FROM pragma_table_info('payments') WHERE name = 'kind'),
			EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'external_id_spaces')
			FROM sqlite_schema WHERE type = 'table'`).Scan(&tables, &own, &allKinds, &spaces))
	switch {
	case err != nil:
	case own < 4 && (tables > 0 || version > 0):
		err = ErrForeign
	case version > 0 || tables == 0: // up to schema 3 there was no number
	case !allKinds:
		version = 1
	case !spaces:
		version = 2
	default:
		version = 3
	}
	return version, err
}

// steps are the statements that lead from a schema to the present one.
func steps(version int) []string {
	var texts []string
	if version == 0 {
		texts, version = append(texts, schema), schemaVersion
	}
	for version < schemaVersion {
		version++
		text, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", version))
		if err != nil {
			panic(err) // it is embedded
		}
		texts = append(texts, string(text))
	}
	for i := range texts { // only an INTEGER key is SQLite's own row id; a BIGINT one costs a second index
		texts[i] = strings.ReplaceAll(texts[i], "BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY")
	}
	return append(texts, fmt.Sprintf(`PRAGMA user_version = %d`, schemaVersion))
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
