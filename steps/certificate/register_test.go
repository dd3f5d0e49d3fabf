package certificate

import (
	"bytes"
	"crypto/ed25519"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A register shows what is verified, lists what is not, and keeps hostile names from becoming markup.
func TestARegisterShowsWhatIsVerified(t *testing.T) {
	t.Parallel()
	dir, site := t.TempDir(), t.TempDir()
	own := conforming()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "acme"), os.DirFS(own.dir)))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "acme-later"), os.DirFS(other().dir)))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "<b>forged"), os.DirFS(own.dir)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "<b>forged", report.JSONFile), []byte("{}"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o700))
	hostile(t, filepath.Join(dir, "hostile"))

	r, err := readRegister(dir, testVersion, time.Now(), []ed25519.PublicKey{own.public()}, sampled)
	require.NoError(t, err)
	require.Len(t, r.Entries, 2)
	require.Len(t, r.Unverified, 2)
	require.Equal(t, 1, r.Entries[1].Earlier)
	require.NoError(t, r.WriteSite(site))
	for name, words := range map[string][]string{
		"index.html":    {"conforms", "Not verified", "acme sandbox", "the file was changed", `lang="en"`},
		"index.pt.html": {"conforme", "Não verificados", "acme sandbox", "the file was changed", `lang="pt-BR"`},
	} {
		content, err := os.ReadFile(filepath.Join(site, name))
		require.NoError(t, err)
		for _, w := range words {
			require.Contains(t, string(content), w, name)
		}
		for _, never := range []string{"<script", "<b>forged", "onerror=x>", "ZgotmplZ", "http://", "https://"} {
			require.NotContains(t, string(content), never, name)
		}
	}
	badges, err := filepath.Glob(filepath.Join(site, "badges", "*.svg"))
	require.NoError(t, err)
	require.Len(t, badges, 2)
	for _, file := range badges {
		svg, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(svg), "PIX API: conforms · standard · "+own.month(t))
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err)
			}
		}
	}
}

func (s sample) month(t *testing.T) string {
	t.Helper()
	v, err := s.verified()
	require.NoError(t, err)
	return v.Started.Format("2006-01")
}

// hostile writes a certified report of a target with a hostile name.
func hostile(t *testing.T, dir string) {
	t.Helper()
	const name = `"><script>alert(1)</script><img src=x onerror=x>` + "\u202e"
	f := forged(t)
	f.reissued(func(e *run.Evidence) { e.Run.Target = name })
	f.profiled(func(p *Profile) { p.Name = name })
	f.lies(func(c *Claims, _ *rules) { c.Target = name })
	require.NoError(t, os.CopyFS(dir, os.DirFS(f.dir)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, report.CertificateFile), f.content, 0o600))
}

func TestARegisterNeedsKeys(t *testing.T) {
	t.Parallel()
	_, err := ReadRegister(t.TempDir(), testVersion, time.Now())
	require.ErrorContains(t, err, "--key")
}

// Both languages have a word for everything.
func TestTheTextsAreComplete(t *testing.T) {
	t.Parallel()
	for _, o := range []verdict.Outcome{verdict.Conforms, verdict.DoesNotConform, verdict.OwnRulesFail, verdict.Incomplete, verdict.NoNewFailures, verdict.Outdated, verdict.EndedEarly, verdict.NoneFound} {
		require.NotEmpty(t, english.outcomes[o])
		require.NotEmpty(t, portuguese.outcomes[o])
		require.Equal(t, string(o), english.outcomes[o])
	}
	require.Len(t, portuguese.depths, len(english.depths))
	for language, all := range map[string]texts{"en": english, "pt": portuguese} {
		for i, text := range all.all() {
			require.NotEmpty(t, strings.TrimSpace(text), "%s, text %d", language, i)
		}
	}
}

// Targets that do different things on an open point are listed with what they do.
func TestOpenPointsShowHowTargetsDiffer(t *testing.T) {
	t.Parallel()
	at := func(target, value string) Entry {
		c := &Certificate{}
		c.Target = target
		r := &verdict.Run{OpenPoints: []verdict.OpenPoint{{Name: "p", Question: "Which?"}, {Name: "q"}}, Scenarios: []verdict.Scenario{
			{Rule: "a.b", Name: "c", Observations: []verdict.Observed{{Point: "p", Value: value}, {Point: "q", Value: "same"}}},
		}}
		return Entry{Verified: &Verified{Certificate: c, Run: r}}
	}
	points := pointsOf([]Entry{at("one", "201"), at("two", "400"), at("three", "201")})
	require.Len(t, points, 1)
	require.Equal(t, []Reading{{"201", []string{"one", "three"}}, {"400", []string{"two"}}}, points[0].Readings)
}

// The Portuguese page has the open points in Portuguese, and those that pixcert does not know in English.
func TestOpenPointsInPortuguese(t *testing.T) {
	t.Parallel()
	readings := []Reading{{"no response", []string{"one"}}, {"201 (+1)", []string{"two"}}}
	point := func(name string) Point { return Point{verdict.OpenPoint{Name: name, Question: "Which?"}, readings} }
	r, site := &Register{Points: []Point{point("certificate with plus left literal"), point("unknown")}}, t.TempDir()
	require.NoError(t, r.WriteSite(site))
	page, err := os.ReadFile(filepath.Join(site, "index.pt.html"))
	require.NoError(t, err)
	for _, part := range []string{`lang="pt-BR">O gateway aceita um certificado`, `lang="pt-BR">201, ou 400`, `lang="en">Which?`, "nenhuma resposta", "201 (&#43;1)"} {
		require.Contains(t, string(page), part)
	}
	page, err = os.ReadFile(filepath.Join(site, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "no response")
	require.NotContains(t, string(page), "O gateway aceita")
}

// all are the texts, by reflection so that none is forgotten.
func (t texts) all() (texts []string) {
	v := reflect.ValueOf(t)
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.String {
			texts = append(texts, v.Field(i).String())
		}
	}
	return texts
}
