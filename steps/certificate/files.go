package certificate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/untrusted"
)

// Bounds of a report, far above those of real ones: all files of a report together have at most 20 MB.
const (
	mostFiles = 20_000
	mostDepth = 4
	mostSize  = 64 << 20 // of a file, and of all together
)

// list returns the names of all files of a report except its certificate, sorted, with slashes.
func list(dir string) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var names []string
	if err := walk(root, ".", 0, &names); err != nil {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

func walk(root *os.Root, dir string, depth int, names *[]string) error {
	if depth > mostDepth {
		return fmt.Errorf("%s: expected directories at most %d deep", shorten(dir), mostDepth)
	}
	opened, err := root.Open(dir)
	if err != nil {
		return err
	}
	entries, err := opened.ReadDir(mostFiles + 1)
	if err := errors.Join(err, opened.Close()); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case name == report.CertificateFile, report.Internal(name) && entry.Type().IsRegular():
		case entry.IsDir():
			if err := walk(root, name, depth+1, names); err != nil {
				return err
			}
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s: expected a regular file, got a symbolic link, pipe or device", shorten(name))
		default:
			*names = append(*names, name)
		}
		if len(*names) > mostFiles {
			return &untrusted.LimitError{Most: mostFiles, Of: "files of the report"}
		}
	}
	return nil
}

// Foreign names a file in a directory that is not of a report; empty if there is none, or no directory.
func Foreign(dir string) (string, error) {
	names, err := list(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for _, name := range names {
		top, _, below := strings.Cut(name, "/")
		known := slices.Contains([]string{report.JSONFile, report.JUnitFile, report.HTMLFile, report.RecordsFile, report.LogFile, report.FailedLogFile, profileFile, baselineFile}, name)
		if !known && !(below && top == report.EvidenceDir) {
			return name, err
		}
	}
	return "", err
}

// hashAll describes all files of a report.
func hashAll(dir string) ([]Evidence, error) {
	names, err := list(dir)
	if err != nil {
		return nil, err
	}
	var all []Evidence
	for _, name := range names {
		e, err := hashOne(dir, name, mostSize)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// hashOne reads at most so many bytes of a file.
func hashOne(dir, name string, most int64) (Evidence, error) {
	file, err := untrusted.Open(dir, filepath.FromSlash(name))
	if err != nil {
		return Evidence{}, err
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.Copy(h, untrusted.AtMost(file, most, "file"))
	if err != nil {
		return Evidence{}, fmt.Errorf("%s: %w", shorten(name), err)
	}
	return Evidence{name, n, hex.EncodeToString(h.Sum(nil))}, nil
}

// checkFiles checks that a report has exactly the files of a certificate.
func checkFiles(dir string, evidence []Evidence) error {
	names, err := list(dir)
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	for _, e := range evidence {
		listed[e.Name] = true
		if !slices.Contains(names, e.Name) {
			return fmt.Errorf("%s: the file is missing", shorten(e.Name))
		}
	}
	for _, name := range names {
		if !listed[name] {
			return fmt.Errorf("%s: the file was added: the certificate does not list it", shorten(name))
		}
	}
	for _, e := range evidence {
		if err := e.check(dir); err != nil {
			return err
		}
	}
	return nil
}

func (e Evidence) check(dir string) error {
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(e.Name)))
	if err != nil {
		return fmt.Errorf("%s: %w", shorten(e.Name), err)
	}
	if info.Size() != e.Size {
		return fmt.Errorf("%s: the file was changed: it has %d bytes, expected %d", shorten(e.Name), info.Size(), e.Size)
	}
	read, err := hashOne(dir, e.Name, e.Size)
	switch {
	case err != nil:
		return err
	case read != e:
		return fmt.Errorf("%s: the file was changed: its SHA-256 is %s, expected %s", shorten(e.Name), read.SHA256, e.SHA256)
	}
	return nil
}

// needed are the files without which nothing can be judged again.
var needed = []string{report.HTMLFile, report.JUnitFile, profileFile, report.RecordsFile, report.JSONFile}

// validEvidence checks the list of a certificate.
func validEvidence(all []Evidence) error {
	if len(all) > mostFiles {
		return &untrusted.LimitError{Most: mostFiles, Of: "files of the report"}
	}
	total := int64(0)
	for i, e := range all {
		digest, err := hex.DecodeString(e.SHA256)
		switch {
		case !filepath.IsLocal(e.Name) || path.Clean(e.Name) != e.Name || strings.ContainsAny(e.Name, "\\:\x00") || strings.Count(e.Name, "/") > mostDepth:
			return fmt.Errorf("evidence: expected the name of a file in the report, got %q", shorten(e.Name))
		case e.Name == report.CertificateFile, report.Internal(e.Name):
			return fmt.Errorf("evidence: %s is not a file of evidence", e.Name)
		case i > 0 && e.Name <= all[i-1].Name:
			return fmt.Errorf("evidence: expected each file once, in alphabetical order, got %s after %s", shorten(e.Name), shorten(all[i-1].Name))
		case err != nil || len(digest) != sha256.Size || strings.ToLower(e.SHA256) != e.SHA256:
			return fmt.Errorf("evidence: %s: expected a SHA-256 in lower-case hex, got %q", shorten(e.Name), shorten(e.SHA256))
		case e.Size < 0 || e.Size > mostSize:
			return fmt.Errorf("evidence: %s: expected at most %d bytes, got %d", shorten(e.Name), mostSize, e.Size)
		}
		if total += e.Size; total > mostSize {
			return &untrusted.LimitError{Most: mostSize, Of: "bytes of the report"}
		}
	}
	for _, name := range needed {
		if !slices.ContainsFunc(all, func(e Evidence) bool { return e.Name == name }) {
			return fmt.Errorf("evidence: expected %s among the files, got none", name)
		}
	}
	return nil
}
