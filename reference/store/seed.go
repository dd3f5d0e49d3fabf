package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pixcert/pixcert/reference/pix"
)

// Seed is what a store contains from the start.
type Seed struct {
	Accounts  []NewAccount // each with a ClientID and a Secret
	Directory []pix.DirectoryEntry
}

// Plant creates the accounts of a seed that do not exist. It puts their keys into the directory, so that they can pay
// each other, and then the keys of the seed. An existing account keeps its data and its balance, and gets the settings
// of the seed, if there are any. One that was removed is restored. Plant returns the accounts, in the order of the seed.
func (s *Store) Plant(ctx context.Context, seed Seed) ([]pix.Account, error) {
	var accounts []pix.Account
	err := s.write(ctx, func(t *tx) (err error) {
		accounts, err = t.plant(seed)
		return err
	})
	return accounts, err
}

func (t *tx) plant(seed Seed) ([]pix.Account, error) {
	var accounts []pix.Account
	for _, n := range seed.Accounts {
		account, err := t.plantAccount(n)
		if err != nil {
			return nil, fmt.Errorf("account %s: %w", n.Name, err)
		}
		accounts = append(accounts, account)
		err = t.putDirectoryKey(pix.DirectoryEntry{
			Key: account.PixKey, Name: account.Name, Document: account.Document, ISPB: account.ISPB, Status: pix.AccountActive,
		})
		if err != nil {
			return nil, fmt.Errorf("account %s: %w", n.Name, err)
		}
	}
	for _, entry := range seed.Directory {
		if err := t.putDirectoryKey(entry); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

// ErrOtherSecret is the error for an existing account whose secret is not the seed's.
var ErrOtherSecret = errors.New("exists with another clientSecret")

func (t *tx) plantAccount(n NewAccount) (pix.Account, error) {
	var id int64
	err := t.row(`SELECT id FROM accounts WHERE client_id = $1`, n.ClientID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return t.createAccount(n)
	}
	if err != nil {
		return pix.Account{}, err
	}
	if err := errors.Join(t.invalidate(id), t.run(`UPDATE accounts SET removed = 0 WHERE id = $1`, id)); err != nil {
		return pix.Account{}, err
	}
	account, err := t.account(id)
	if err != nil {
		return pix.Account{}, err
	}
	if !account.SecretMatches(n.Secret) {
		return pix.Account{}, ErrOtherSecret
	}
	if n.Settings != nil {
		if err := t.configure(&account, *n.Settings); err != nil {
			return pix.Account{}, err
		}
	}
	return account, t.registerCertificate(id, n.Fingerprint)
}
