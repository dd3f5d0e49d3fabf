package store

import "context"

// RegisterCertificate links a certificate to an account. A fingerprint is the SHA-256
// of its DER in lower-case hex. One that was revoked is valid again.
func (s *Store) RegisterCertificate(ctx context.Context, accountID int64, fingerprint string) error {
	return s.write(ctx, func(t *tx) error {
		if _, err := t.account(accountID); err != nil {
			return err
		}
		return t.registerCertificate(accountID, fingerprint)
	})
}

func (t *tx) registerCertificate(accountID int64, fingerprint string) error {
	return t.run(`INSERT INTO certificates (fingerprint, account_id) VALUES ($1, $2)
		ON CONFLICT (fingerprint, account_id) DO UPDATE SET revoked = 0`, fingerprint, accountID)
}

// RevokeCertificate ends a certificate's link with one account; its links with others
// stay. It gives ErrNotFound for a certificate that was never registered there.
func (s *Store) RevokeCertificate(ctx context.Context, accountID int64, fingerprint string) error {
	return s.write(ctx, func(t *tx) error {
		if _, err := t.account(accountID); err != nil {
			return err
		}
		changed, err := t.exec(`UPDATE certificates SET revoked = 1 WHERE account_id = $1 AND fingerprint = $2`, accountID, fingerprint)
		if err == nil && changed == 0 {
			err = ErrNotFound
		}
		return err
	})
}

// CertificateHolders lists the accounts that a certificate is linked to, by id. None
// means that it was never registered or is revoked everywhere.
func (s *Store) CertificateHolders(ctx context.Context, fingerprint string) ([]int64, error) {
	var holders []int64
	err := s.read(ctx, func(c conn) error {
		holders = nil
		return c.each(func(row scanner) error {
			var id int64
			err := row.Scan(&id)
			holders = append(holders, id)
			return err
		}, `SELECT account_id FROM certificates WHERE fingerprint = $1 AND revoked = 0 ORDER BY account_id`, fingerprint)
	})
	return holders, err
}
