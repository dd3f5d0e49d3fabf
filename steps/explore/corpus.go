package explore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/untrusted"
)

// Bounds of a corpus, far above what exploring finds.
const (
	mostFindings    = 1_000
	mostFindingsSum = 8 << 20 // bytes
)

// ReadCorpus reads the findings of earlier runs; none if there is no such directory yet. Another machine may have
// found them, so that links are refused: what they link to would become part of reports.
func ReadCorpus(dir string) (catalogue.Own, error) {
	none := catalogue.Own{Directory: dir}
	earlier, err := filepath.Glob(filepath.Join(dir, "*.feature"))
	if err != nil || len(earlier) == 0 {
		return none, err
	}
	if len(earlier) > mostFindings {
		return none, fmt.Errorf("expected at most %d files, got %d; remove some", mostFindings, len(earlier))
	}
	left := int64(mostFindingsSum)
	for _, path := range earlier {
		content, err := untrusted.ReadFile(dir, filepath.Base(path), left)
		if err != nil {
			return none, err
		}
		left -= int64(len(content))
	}
	own, err := catalogue.ReadOwn(dir)
	if err == nil {
		_, err = run.Suite(own)
	}
	return own, err
}

// WriteFindings writes new findings into the corpus in dir.
func WriteFindings(dir string, found []catalogue.Source) error {
	if len(found) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var problems []error
	for _, source := range found {
		problems = append(problems, root.WriteFile(filepath.Base(source.File), []byte(source.Text), 0o644))
	}
	return errors.Join(problems...)
}
