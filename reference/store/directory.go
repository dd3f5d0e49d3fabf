package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pixcert/pixcert/reference/pix"
)

// PutDirectoryKey puts a key into the key directory, which all accounts share, or
// replaces it. A *pix.Refusal tells of a key that is not spelled canonically, or a
// holder that cannot be.
func (s *Store) PutDirectoryKey(ctx context.Context, e pix.DirectoryEntry) error {
	switch {
	case !pix.IsDirectoryKey(e.Key):
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("pixKey must be spelled canonically: digits of a CPF or CNPJ, "+
			"a lower-case e-mail, +55 with area and number, a lower-case UUID with hyphens; got %q", e.Key))
	case !pix.IsDocument(e.Document):
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("document must be a CPF of 11 or a CNPJ of 14 digits, got %q", e.Document))
	case !pix.IsISPB(e.ISPB):
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("ispb must have 8 digits, got %q", e.ISPB))
	case !e.Status.Valid():
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("accountStatus must be ACTIVE, BLOCKED or CLOSED, got %q", e.Status))
	}
	return s.write(ctx, func(t *tx) error {
		return t.run(`INSERT INTO directory (pix_key, name, document, ispb, status) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (pix_key) DO UPDATE SET name = excluded.name, document = excluded.document,
				ispb = excluded.ispb, status = excluded.status`,
			e.Key, e.Name, e.Document, e.ISPB, e.Status)
	})
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
