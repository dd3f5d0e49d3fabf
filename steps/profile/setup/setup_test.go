package setup_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/profile/setup"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/translation"
)

// register is how an operator answers: every variable has a value.
func register(name string) (string, bool) {
	if strings.HasPrefix(name, "PIXCERT_ACCOUNT_ID_") {
		return strings.TrimPrefix(name, "PIXCERT_ACCOUNT_ID_"), true
	}
	return "the " + name, strings.HasPrefix(name, "PIXCERT_")
}

func content(t *testing.T, elements ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elements...))
	require.NoError(t, err)
	return string(b)
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]setup.Setup{
		"one account":          {URL: "https://gateway.example/pix", Accounts: 1, Sink: "127.0.0.1:9443"},
		"two, from outside":    {URL: "http://127.0.0.1:8080", Accounts: 2, Sink: "0.0.0.0:9443", SinkURL: "https://hooks.example"},
		"with controls":        {URL: "http://127.0.0.1:8080", Accounts: 2, Sink: ":9443", Controls: "http://127.0.0.1:8081"},
		"in Portuguese":        {URL: "https://gateway.example/pix", Accounts: 2, Sink: "127.0.0.1:9443", Language: translation.Portuguese},
		"controls alone":       {URL: "http://127.0.0.1:8080", Sink: "127.0.0.1:9443", Controls: "http://127.0.0.1:8081"},
		"what YAML might read": {URL: `http://127.0.0.1:8080/a"b'${c}: #`, Accounts: 1, Sink: "[::1]:9443"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.Directory = filepath.Join(t.TempDir(), "new")
			written, err := s.Write()
			require.NoError(t, err)
			assert.Len(t, written, 7+2*s.Accounts)
			for _, file := range written {
				info, err := os.Stat(file)
				require.NoError(t, err)
				if strings.HasSuffix(file, ".key") {
					assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), file)
				}
			}
			p, notes, err := profile.Read(filepath.Join(s.Directory, setup.ProfileFile), register)
			require.NoError(t, err)
			assert.Empty(t, notes)
			assert.Equal(t, s.URL, p.BaseURL)
			assert.Len(t, p.Accounts, s.Accounts)
			assert.Equal(t, s.Sink, p.Sink.Listen)
			assert.Equal(t, s.SinkURL, p.Sink.URL)
			assert.Equal(t, s.Controls != "", p.Control != nil)
			_, err = certs.Load(p.Sink.Certificate, p.Sink.Key)
			assert.NoError(t, err)

			page := content(t, s.Directory, setup.RegisterFile)
			assert.Contains(t, page, content(t, s.Directory, "certs", "ca.pem"))
			assert.NotContains(t, page, "PRIVATE KEY")
			assert.NotContains(t, page, "<no value>")
			for _, account := range p.Accounts {
				loaded, err := certs.Load(account.Certificate, account.Key)
				require.NoError(t, err)
				assert.Contains(t, page, loaded.Fingerprint())
				assert.Contains(t, page, string(loaded.PEM()))
				assert.Equal(t, s.Controls != "", account.AccountID != 0)
			}
			for _, control := range []target.Control{target.Accounts, target.FaultsControl} {
				assert.Contains(t, page, "| `"+string(control)+"` |")
			}
			assert.Equal(t, string(profile.Schema), content(t, s.Directory, setup.SchemaFile))
			assert.True(t, strings.HasPrefix(content(t, s.Directory, setup.ProfileFile), "# yaml-language-server: $schema=./"+setup.SchemaFile+"\n"))
		})
	}
}

// The operator gets the same facts in both languages.
func TestTheChecklistIsWrittenInPortuguese(t *testing.T) {
	t.Parallel()
	s := setup.Setup{Directory: t.TempDir(), URL: "https://gateway.example/pix", Accounts: 2, Sink: "127.0.0.1:9443", SinkURL: "https://hooks.example"}
	_, err := s.Write()
	require.NoError(t, err)
	english := content(t, s.Directory, setup.RegisterFile)
	s.Language, s.Force = translation.Portuguese, true
	_, err = s.Write()
	require.NoError(t, err)
	portuguese := content(t, s.Directory, setup.RegisterFile)

	assert.Contains(t, portuguese, "# Lista de cadastro")
	assert.Contains(t, portuguese, "2 contas")
	assert.NotContains(t, portuguese, "account that")
	facts := regexp.MustCompile(`(?m)^    .*$|^[A-Za-z0-9+/=]{64}$|R\$ [0-9,.]+|^\| ` + "`[a-z]+`" + `|\]\(https:.*\)`)
	values := func(page string) []string {
		found := facts.FindAllString(page, -1)
		for i, fact := range found {
			if strings.HasPrefix(fact, "R$") { // R$ 10,000.00 is R$ 10.000,00
				found[i] = strings.NewReplacer(",", "", ".", "").Replace(fact)
			}
		}
		return found
	}
	assert.Greater(t, len(values(english)), 20)
	assert.Equal(t, values(english), values(portuguese))
}

func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	s := setup.Setup{Directory: t.TempDir(), URL: "http://127.0.0.1:8080", Accounts: 1, Sink: "127.0.0.1:9443"}
	_, err := s.Write()
	require.NoError(t, err)
	of := func(name string) string { return content(t, s.Directory, "certs", name) }
	account, sink, ca := of("account-1.key"), of("sink.pem"), of("ca.key")

	s.Accounts = 2
	_, err = s.Write()
	assert.ErrorContains(t, err, "already contains pixcert.yaml, REGISTER.md, pixcert-profile.schema.json; choose another directory, or overwrite with --force")
	assert.NoFileExists(t, filepath.Join(s.Directory, "certs", "account-2.pem"), "nothing was written")

	s.Force = true
	written, err := s.Write()
	require.NoError(t, err)
	assert.Len(t, written, 5, "the page, the profile, the schema, and what the second account needs")
	assert.Equal(t, []string{account, sink, ca}, []string{of("account-1.key"), of("sink.pem"), of("ca.key")})

	s.SinkURL = "https://hooks.example"
	_, err = s.Write()
	require.NoError(t, err)
	assert.NotEqual(t, sink, of("sink.pem"), "it was for other hosts")
	assert.Equal(t, ca, of("ca.key"))

	require.NoError(t, os.Remove(filepath.Join(s.Directory, "certs", "account-1.key")))
	_, err = s.Write()
	assert.ErrorContains(t, err, "both or neither")
}
