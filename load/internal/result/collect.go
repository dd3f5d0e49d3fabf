package result

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is the name of the result file in a report directory.
const FileName = "result.json"

// Collect reads the results of a run's instances: files, and every result.json in
// directories at any depth. Merged results in directories are skipped, so that a merge can be
// written next to its inputs and repeated. A missing file, or a directory without a result,
// is an [fs.ErrNotExist].
func Collect(paths ...string) ([]Result, error) {
	return collect("instance", func(r Result) bool { return len(r.Parts) == 0 }, paths...)
}

// ReadAny reads a result file, or the one in a directory.
func ReadAny(path string) (Result, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	return Read(path)
}

// collect reads files, and what is wanted in directories: at least one result in each.
func collect(what string, wanted func(Result) bool, paths ...string) (results []Result, err error) {
	for _, given := range paths {
		before := len(results)
		err := filepath.WalkDir(given, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path != given && entry.Name() != FileName {
				return err
			}
			r, err := Read(path)
			if err == nil && (path == given || wanted(r)) {
				results = append(results, r)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read results: %w", err)
		}
		if len(results) == before {
			return nil, fmt.Errorf("read results: expected at least one %s's %s in %s, found none: %w", what, FileName, given, fs.ErrNotExist)
		}
	}
	return results, nil
}
