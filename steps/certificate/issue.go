package certificate

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/report"
)

// Files are those that a report needs in addition to be certified: the profile without secrets and, if there is one, the
// baseline of the run.
func Files(p Profile, baseline []byte) ([]report.File, error) {
	profile, err := p.Encode()
	if err != nil {
		return nil, err
	}
	file := func(name string, content []byte) report.File {
		return report.File{Name: name, Write: func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		}}
	}
	files := []report.File{file(profileFile, profile)}
	if baseline != nil {
		files = append(files, file(baselineFile, baseline))
	}
	return files, nil
}

// Issue judges the recorded evidence of the report in dir, signs what follows from it, and writes certificate.json next to
// it. It fails if the report says anything else, or if the run is not about everything.
func Issue(dir, version string, key ed25519.PrivateKey) (*Certificate, error) {
	return issue(dir, version, key, scope{})
}

func issue(dir, version string, key ed25519.PrivateKey, of scope) (*Certificate, error) {
	files, err := hashAll(dir)
	if err != nil {
		return nil, err
	}
	j, err := judgeReport(dir, files)
	if err != nil {
		return nil, err
	}
	if err := j.consistent(of, true); err != nil {
		return nil, err
	}
	differ, err := j.sameVerdicts(dir)
	if err != nil {
		return nil, err
	}
	if len(differ) > 0 {
		return nil, fmt.Errorf("the recorded evidence does not show what the report says, in %d places: %s; %s", len(differ), strings.Join(first(differ, 3), "; "), leftOutAdvice)
	}
	edition, err := Edition()
	if err != nil {
		return nil, err
	}
	claims := j.claims(version, edition, files)
	claims.Issued = time.Now().UTC().Truncate(time.Second)
	content, err := seal(statementOf(claims, rulesOf(j.run), j.profile.URL), key)
	if err != nil {
		return nil, err
	}
	if err := write(dir, content); err != nil {
		return nil, err
	}
	return Open(content, []ed25519.PublicKey{key.Public().(ed25519.PublicKey)})
}

// leftOutAdvice is about the usual reason: a gateway whose responses take more than a report may have.
const leftOutAdvice = "what says could not test had no room in records.json.gz; if the gateway fails many rules, fix the first and run again"

func write(dir string, content []byte) error {
	if len(content) > mostCertificate {
		return errors.New("the certificate would be too large: too many files of evidence")
	}
	return report.Create(filepath.Join(dir, report.CertificateFile), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// first are the first lines of several, and how many are left.
func first(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("and %d more", len(lines)-most))
}
