package result

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is the name of the result file in a report directory.
const FileName = "result.json"

// Runs reads the results of several runs: a file, or every result.json in a directory at any
// depth. Of a run with several instances, it reads the merged result only.
func Runs(path string) ([]Result, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		r, err := Read(path)
		return []Result{r}, err
	}
	runs, err := collectDirectory(path, func(r Result) bool { return r.Instances <= 1 || len(r.Parts) > 0 })
	if err == nil && len(runs) == 0 {
		err = fmt.Errorf("read results: expected at least one run's %s in %s, found none: %w", FileName, path, fs.ErrNotExist)
	}
	return runs, err
}

// ReadAny reads a result file, or the one in a directory.
func ReadAny(path string) (Result, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	return Read(path)
}

// Collect reads the results of a run's instances: files, and every result.json in
// directories at any depth. Merged results in directories are skipped, so that a merge can be
// written next to its inputs and repeated. A missing file, or a directory without a result,
// is an [fs.ErrNotExist].
func Collect(paths ...string) ([]Result, error) {
	var results []Result
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("read results: %w", err)
		}
		if !info.IsDir() {
			r, err := Read(path)
			if err != nil {
				return nil, err
			}
			results = append(results, r)
			continue
		}
		found, err := collectDirectory(path, func(r Result) bool { return len(r.Parts) == 0 })
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("read results: expected at least one instance's %s in %s, found none: %w", FileName, path, fs.ErrNotExist)
		}
		results = append(results, found...)
	}
	return results, nil
}

func collectDirectory(directory string, wanted func(Result) bool) (results []Result, err error) {
	err = filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != FileName || entry.IsDir() {
			return err
		}
		r, err := Read(path)
		if err == nil && wanted(r) {
			results = append(results, r)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	return results, nil
}
