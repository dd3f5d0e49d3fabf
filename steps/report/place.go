package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/verdict"
)

const (
	lockFile   = ".lock" // held while a report is written
	stagingDir = ".new"  // where it is written, beside the last one

	// reserved is more than a report without requests and responses needs.
	reserved = 2 << 20

	// lockWait is more than another run needs to write its report.
	lockWait = time.Minute
)

// Internal reports whether a file in the directory of a report is one that runs leave there while they write it.
func Internal(name string) bool { return name == lockFile || name == runFile }

// advice is what to do about a report that cannot be written.
func advice(err error) string {
	const another = "choose another directory with --report"
	if errors.Is(err, syscall.ENOSPC) {
		return "free some disk space, or " + another
	}
	return another
}

// Place is a directory for a report. It reserves space on the disk: if the disk fills up during a run,
// the report lacks requests and responses, but has the verdicts.
type Place struct {
	dir     string
	created []string // directories, the innermost first
	reserve *os.File // nil for none
	most    int64    // bytes of all files

	History *history.Trend // for the page; nil for none
	Words   Words          // of the page
}

// Open checks that a report can be written into dir, which it creates if necessary. The report
// of an earlier run stays until Write has written the new one. The caller closes the place.
func Open(dir string) (*Place, error) {
	p := &Place{dir: dir, created: absent(dir), most: mostReport}
	err := p.locked(func() (err error) {
		if p.reserve, err = os.CreateTemp(dir, ".reserve-*"); err != nil {
			return err
		}
		_ = os.Remove(p.reserve.Name()) // the space stays reserved until the file is closed; fails on Windows
		_, err = p.reserve.Write(make([]byte, reserved))
		return err
	})
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("cannot write the report: %w; %s", err, advice(err))
	}
	return p, nil
}

// absent returns dir and the directories above it that do not exist, the innermost first.
func absent(dir string) (all []string) {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return all
		}
		all = append(all, dir)
		dir = filepath.Dir(dir)
	}
}

// Close releases the reserved space, and removes the directories that Open has created if nothing was
// written into them.
func (p *Place) Close() {
	p.release()
	for _, dir := range p.created {
		_ = os.Remove(dir) // fails if it is not empty
	}
}

func (p *Place) release() {
	if p.reserve != nil {
		_ = p.reserve.Close()           // its content does not matter
		_ = os.Remove(p.reserve.Name()) // on Windows
		p.reserve = nil
	}
}

// File is a file of a report besides those of its verdicts.
type File struct {
	Name  string
	Write func(io.Writer) error

	scenario string // ID of the one whose evidence it is; empty for none
}

// Write replaces the report by that of run. It writes the new one next to the old one, and swaps them
// when the new one is complete. If the files take too many bytes together, it drops requests and responses, and sets
// run.Omitted. If writing fails because the disk is full, it tries again without
// requests, responses and additional files, marks the report as incomplete, and returns the error.
// It masks secrets in the places where they are expected (see verdict.Run.Redacted for all others).
func (p *Place) Write(run *verdict.Run, more ...File) error {
	verdict.TellApart(run.Scenarios)
	shown := run.Redacted(nil)
	return p.locked(func() error {
		omitted, err := p.replace(shown, more)
		if err == nil {
			run.Omitted = omitted
			return nil
		}
		p.release()
		if _, again := p.replace(withoutEvidence(shown, err), nil); again == nil {
			return fmt.Errorf("the report in %s has no requests and responses: %w; %s", p.dir, err, advice(err))
		}
		err = errors.Join(err, p.writeNotRun(err)) // as junit.xml, since the report of an earlier run stays
		return fmt.Errorf("writing the report in %s: %w; %s", p.dir, err, advice(err))
	})
}

// Write is Place.Write for a report that was not prepared, with an English page.
func Write(dir string, run *verdict.Run, more ...File) error {
	return Words{}.Write(dir, run, more...)
}

// Write is Write with a page in these words.
func (words Words) Write(dir string, run *verdict.Run, more ...File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("writing the report: %w; %s", err, advice(err))
	}
	return (&Place{dir: dir, most: mostReport, Words: words}).Write(run, more...)
}

// Remove removes an earlier report from dir. Files that are not of a report stay.
func Remove(dir string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	files, err := filesOf(root)
	if err != nil || len(files) == 0 {
		return err
	}
	return (&Place{dir: dir}).locked(func() error { return remove(root, files) })
}

// withoutEvidence is run with its verdicts only, marked as incomplete.
func withoutEvidence(run *verdict.Run, reason error) *verdict.Run {
	small := *run
	small.Log = ""
	if small.Ended == nil {
		now := time.Now()
		small.Ended = &verdict.Ended{At: now, Reason: fmt.Sprintf("the report could not be written completely at %s and has no requests and responses: %v", now.UTC().Format("15:04:05 UTC"), reason)}
	}
	small.Scenarios = slices.Clone(run.Scenarios)
	for i, s := range small.Scenarios {
		verdict.KeepExchange(&s, nil)
		s.Steps, s.Warnings = nil, nil
		small.Scenarios[i] = s
	}
	return &small
}

// locked calls do while no other run can write into the directory, which it creates if necessary.
func (p *Place) locked(do func() error) error {
	lock, err := p.lock()
	if err != nil {
		return err
	}
	err = do()
	_ = os.Remove(lock.Path()) // while it is held, so that it is nobody else's; fails on Windows
	return errors.Join(err, lock.Close())
}

// lock waits for the lock of the directory. A lock whose file is gone by then is none: who held it has
// removed it, and the next one has created another.
func (p *Place) lock() (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	for {
		if err := os.MkdirAll(p.dir, 0o755); err != nil {
			return nil, err
		}
		if info, err := os.Lstat(filepath.Join(p.dir, lockFile)); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file: remove it", filepath.Join(p.dir, lockFile))
		}
		lock := flock.New(filepath.Join(p.dir, lockFile))
		_, err := lock.TryLockContext(ctx, 10*time.Millisecond)
		switch {
		case errors.Is(err, fs.ErrNotExist): // so is the directory
			continue
		case err != nil:
			return nil, fmt.Errorf("another run is writing to %s: %w", p.dir, err)
		case isInPlace(lock):
			return lock, nil
		}
		_ = lock.Close()
	}
}

// isInPlace reports whether the file of a lock that is held still has its name.
func isInPlace(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(held, named)
}

// replace writes a report into the staging directory and moves it from there. It returns what it left out. It follows
// no symbolic link out of the directory, which may be that of a report from somebody else.
func (p *Place) replace(run *verdict.Run, more []File) (omitted string, err error) {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := root.RemoveAll(stagingDir); err != nil { // left by a run that was killed
		return "", err
	}
	defer func() { err = errors.Join(err, root.RemoveAll(stagingDir)) }()
	if err := root.Mkdir(stagingDir, 0o755); err != nil {
		return "", err
	}
	left := p.most
	stage := func(file File) error {
		return createIn(root, filepath.Join(stagingDir, filepath.FromSlash(file.Name)), limited(file.Write, &left))
	}
	evidence := slices.Clone(more)
	more = slices.DeleteFunc(slices.Clone(more), func(f File) bool { return f.scenario != "" })
	evidence = slices.DeleteFunc(evidence, func(f File) bool { return f.scenario == "" })
	for _, file := range more {
		if err := stage(file); err != nil {
			return "", err
		}
	}
	files, room := p.filesFor(run, evidence), left
	stageAll := func() error {
		for _, file := range files {
			if err := stage(file); err != nil {
				return err
			}
		}
		return nil
	}
	err = stageAll()
	if errors.Is(err, errTooLarge) {
		if err := root.RemoveAll(filepath.Join(stagingDir, EvidenceDir)); err != nil {
			return "", err
		}
		left = room
		files, omitted = p.fitting(run, evidence, room)
		err = stageAll()
	}
	if err != nil {
		return "", err
	}
	return omitted, p.exchange(root, slices.Concat(more, files))
}

// exchange moves a complete report into its place. Each old file is kept until the new one replaces
// it. The evidence is moved before the pages that link to it, which are last.
func (p *Place) exchange(root *os.Root, files []File) error {
	old, err := filesOf(root)
	if err != nil {
		return err
	}
	isNew := map[string]bool{}
	for _, file := range files {
		name := filepath.FromSlash(file.Name)
		isNew[name] = true
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.Rename(filepath.Join(stagingDir, name), name); err != nil {
			return err
		}
	}
	return remove(root, slices.DeleteFunc(old, func(name string) bool { return isNew[name] }))
}

// filesOf are the files of the report in a directory, relative to it. Other files there are not ours.
func filesOf(root *os.Root) ([]string, error) {
	var files []string
	for _, pattern := range []string{
		EvidenceDir + "/*/*.har", EvidenceDir + "/*/*.sh", HTMLFile, JUnitFile, JSONFile, RecordsFile, LogFile, FailedLogFile,
		ProfileFile, BaselineFile, CertificateFile,
	} {
		found, err := fs.Glob(root.FS(), pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			files = append(files, filepath.FromSlash(name))
		}
	}
	return files, nil
}

// remove removes files of a report, and directories of evidence that are empty then.
func remove(root *os.Root, files []string) error {
	for _, name := range files {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if above := filepath.Dir(name); above != "." {
			_ = root.Remove(above) // fails if other files are left in it
		}
	}
	_ = root.Remove(EvidenceDir)
	return nil
}
