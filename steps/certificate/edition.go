package certificate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"sync"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

// judging is the version of what no hash shows: how verdicts follow from recorded evidence. Raise it with a change of
// judge, spec or run that gives recorded runs other verdicts.
const judging = 1

// Edition identifies the rules of this version: every file of features (rules, statements, open points, the contract), the
// vocabulary of their steps, the lifecycle in spec, and judging. Two versions with the same edition give the same verdicts.
var Edition = sync.OnceValues(func() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "judging %d\n", judging)
	if err := hashFiles(h, features.FS); err != nil {
		return "", err
	}
	all, err := catalogue.Load(features.FS)
	if err != nil {
		return "", err
	}
	sentences, err := language.Guide(all)
	if err != nil {
		return "", err
	}
	for _, s := range sentences {
		fmt.Fprintf(h, "sentence %q\n", s.Form)
	}
	for _, row := range (spec.State{}).Rows() {
		fmt.Fprintf(h, "row %q\n", row)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// hashFiles hashes the names and contents of all files.
func hashFiles(h hash.Hash, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "file %q %d\n%s", name, len(content), content)
		return nil
	})
}

// ShortEdition is as much of an edition as people compare.
func ShortEdition(edition string) string { return edition[:min(len(edition), 12)] }
