package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/steps/certificate"
)

type keysCmd struct {
	Directory string `arg:"" optional:"" default:"." type:"path" placeholder:"DIR" help:"Write the keys to this directory."`
}

func (*keysCmd) Help() string {
	return `Writes an Ed25519 key pair in PEM: pixcert.key, which certify --sign takes and nobody else may read, and pixcert.pub.pem, which verify --key takes. It never overwrites a key. openssl genpkey -algorithm ed25519 writes the same kind of key.

Examples:
  pixcert keys
  pixcert keys ~/pixcert-keys`
}

func (c *keysCmd) Run(to *console) error {
	private, public, err := certificate.NewKey()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Directory, 0o700); err != nil {
		return err
	}
	for _, f := range []struct {
		name    string
		content []byte
		mode    os.FileMode
	}{{"pixcert.key", private, 0o600}, {"pixcert.pub.pem", public, 0o644}} {
		path := filepath.Join(c.Directory, f.name)
		if err := writeNew(path, f.content, f.mode); err != nil {
			return err
		}
		fmt.Fprintln(to.out, "wrote", path)
	}
	key, err := certificate.ReadPublicKey(filepath.Join(c.Directory, "pixcert.pub.pem"))
	if err != nil {
		return err
	}
	fmt.Fprintf(to.out, "fingerprint %s\n", certificate.Fingerprint(key))
	return nil
}

func writeNew(path string, content []byte, mode os.FileMode) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if os.IsExist(err) {
		return fmt.Errorf("%s exists: a key is never overwritten; choose another directory", path)
	}
	if err != nil {
		return err
	}
	if _, err := file.Write(content); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
