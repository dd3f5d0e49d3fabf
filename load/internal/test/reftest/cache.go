package reftest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// cache is the directory for the program built from a source directory.
func cache(source string) (string, error) {
	source, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		user = os.TempDir()
	}
	sum := sha256.Sum256([]byte(source))
	dir := filepath.Join(user, "pixcert-reftest", hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("cannot create a directory for the reference gateway: %w", err)
	}
	return dir, nil
}
