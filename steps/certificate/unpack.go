package certificate

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/untrusted"
)

// Unpack returns the directory of a report: the path itself, or where it unpacked a .zip or .tar.gz of one. The caller
// calls remove at the end.
func Unpack(from string) (dir string, remove func(), err error) {
	info, err := os.Stat(from)
	if err != nil {
		return "", nil, err
	}
	if info.IsDir() {
		return from, func() {}, nil
	}
	if dir, err = os.MkdirTemp("", "pixcert-report-"); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	if err = unpack(from, dir); err != nil {
		remove()
		return "", nil, fmt.Errorf("%s: %w", from, err)
	}
	return top(dir), remove, nil
}

func unpack(from, dir string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	u := &unpacker{root: root, left: mostSize}
	switch {
	case strings.HasSuffix(from, ".zip"):
		return u.zip(file)
	case strings.HasSuffix(from, ".tar.gz"), strings.HasSuffix(from, ".tgz"):
		return u.tar(file)
	}
	return errors.New("expected a directory, a .zip or a .tar.gz")
}

// top is the directory in dir that has the report: archives often have one directory at their top.
func top(dir string) string {
	entries, err := os.ReadDir(dir)
	if _, absent := os.Lstat(filepath.Join(dir, report.JSONFile)); err == nil && absent != nil && len(entries) == 1 && entries[0].IsDir() {
		return filepath.Join(dir, entries[0].Name())
	}
	return dir
}

// unpacker writes the files of an archive below a directory, within limits.
type unpacker struct {
	root  *os.Root
	files int
	left  int64 // bytes
}

func (u *unpacker) zip(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	archive, err := zip.NewReader(file, info.Size())
	if err != nil {
		return err
	}
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			return err
		}
		err = u.add(f.Name, f.Mode(), content)
		if err := errors.Join(err, content.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) tar(file *os.File) error {
	z, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for archive := tar.NewReader(z); ; {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case header.Typeflag == tar.TypeLink: // its mode is that of a file
			return fmt.Errorf("%s: expected a regular file, got a hard link", shorten(header.Name))
		}
		if err := u.add(header.Name, header.FileInfo().Mode(), archive); err != nil {
			return err
		}
	}
}

func (u *unpacker) add(name string, mode fs.FileMode, content io.Reader) error {
	name = path.Clean(strings.TrimSuffix(name, "/"))
	u.files++
	switch {
	case u.files > mostFiles:
		return &untrusted.LimitError{Most: mostFiles, Of: "files of the archive"}
	case !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, `\`) || strings.Count(name, "/") > mostDepth+1:
		return fmt.Errorf("expected names of files below the report, got %q", shorten(name))
	case mode.IsDir():
		return u.root.MkdirAll(filepath.FromSlash(name), 0o700)
	case !mode.IsRegular():
		return fmt.Errorf("%s: expected a regular file, got a symbolic link or device", shorten(name))
	}
	if err := u.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return err
	}
	file, err := u.root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%s: %w; is it in the archive twice?", shorten(name), err)
	}
	n, err := io.Copy(file, untrusted.AtMost(content, u.left, "unpacked archive"))
	u.left -= n
	return errors.Join(err, file.Close())
}
