package result

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is what a result file is called in the directory of a report.
const FileName = "result.json"

// ReadAny reads a result file, or the one in a directory.
func ReadAny(path string) (Result, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	return Read(path)
}

// Collect reads the results of a run's instances: files as they are, and of directories
// every result.json in them at any depth, but for merged ones, so that a merge can be
// written beside what it was made of and made again. What is not there, or a directory
// without a result, is an error that is [fs.ErrNotExist].
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
		found, err := collectDirectory(path)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("read results: expected a file %s of an instance somewhere in %s, got none: %w", FileName, path, fs.ErrNotExist)
		}
		results = append(results, found...)
	}
	return results, nil
}

func collectDirectory(directory string) (results []Result, err error) {
	err = filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != FileName || entry.IsDir() {
			return err
		}
		r, err := Read(path)
		if err == nil && len(r.Parts) == 0 {
			results = append(results, r)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	return results, nil
}
