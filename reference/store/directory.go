package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pixcert/pixcert/reference/pix"
)

// PutDirectoryKey puts a key into the key directory, which all accounts share, or
// replaces it. A *pix.Refusal tells of a key that is not spelled canonically, or a
// holder that cannot be.
func (s *Store) PutDirectoryKey(ctx context.Context, e pix.DirectoryEntry) error {
	return s.write(ctx, func(t *tx) error { return t.putDirectoryKey(e) })
}

func (t *tx) putDirectoryKey(e pix.DirectoryEntry) error {
	if err := e.Check(); err != nil {
		return err
	}
	return t.run(`INSERT INTO directory (pix_key, name, document, ispb, status) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (pix_key) DO UPDATE SET name = excluded.name, document = excluded.document,
			ispb = excluded.ispb, status = excluded.status`,
		e.Key, e.Name, e.Document, e.ISPB, e.Status)
}

// holder looks a key up that is spelled canonically; nil when the directory does not
// know it.
func (c conn) holder(key string) (*pix.DirectoryEntry, error) {
	e := pix.DirectoryEntry{Key: key}
	err := c.row(`SELECT name, document, ispb, status FROM directory WHERE pix_key = $1`, key).
		Scan(&e.Name, &e.Document, &e.ISPB, &e.Status)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &e, err
}
