package seedfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// seedFile is the content of --seed-file. Paths are relative to the file.
type seedFile struct {
	Accounts  []seedAccount `yaml:"accounts"`
	Directory []seedKey     `yaml:"directory"`
}

type seedAccount struct {
	Name         string     `yaml:"name"`
	ID           int64      `yaml:"id"`
	ClientID     string     `yaml:"clientId"`
	ClientSecret string     `yaml:"clientSecret"`
	Certificate  string     `yaml:"certificate"`
	Key          string     `yaml:"key"`
	Document     string     `yaml:"document"`
	PixKey       string     `yaml:"pixKey"`
	Balance      reais      `yaml:"balance"`
	Limits       seedLimits `yaml:"limits"`
	Fees         struct {
		CashOut reais `yaml:"cashOut"`
		CashIn  reais `yaml:"cashIn"`
	} `yaml:"fees"`
	Settlement pix.Mode `yaml:"settlement"`
	Refunds    pix.Mode `yaml:"refunds"`
}

type seedLimits struct {
	PerTransaction    limit[reais] `yaml:"perTransaction"`
	Daily             limit[reais] `yaml:"daily"`
	Night             limit[reais] `yaml:"night"`
	RequestsPerMinute limit[int]   `yaml:"requestsPerMinute"`
}

type seedKey struct {
	Key      string            `yaml:"key"`
	Name     string            `yaml:"name"`
	Document string            `yaml:"document"`
	ISPB     string            `yaml:"ispb"`
	Status   pix.AccountStatus `yaml:"status"`
}

// reais is an amount such as 100.00, in quotes or without.
type reais pix.Centavos

func (a *reais) UnmarshalYAML(node *yaml.Node) error {
	amount, err := pix.ParseAmount(node.Value)
	if err != nil || amount < 0 || node.Kind != yaml.ScalarNode {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: expected an amount such as 100.00, got %q", node.Line, node.Value)}}
	}
	*a = reais(amount)
	return nil
}

// limit is a value, none, or the default if it is not given.
type limit[T any] struct {
	given bool
	value *T
}

func (l *limit[T]) UnmarshalYAML(node *yaml.Node) error {
	l.given = true
	if node.Value == "none" {
		return nil
	}
	return node.Decode(&l.value)
}

// Read reads what a gateway is to contain from its start. The keys of every gateway are
// added to its directory.
func Read(file string) (Declaration, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Declaration{}, err
	}
	declared, err := parse(text, filepath.Dir(file))
	if err != nil {
		return Declaration{}, fmt.Errorf("%s: %w", file, err)
	}
	return declared, nil
}

// parse reads the text of a seed file, in which paths are relative to a directory.
func parse(text []byte, directory string) (Declaration, error) {
	var content seedFile
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&content); err != nil && !errors.Is(err, io.EOF) {
		return Declaration{}, yamlErrors(err)
	}
	return content.declaration(directory)
}

// What the library reports of fields that do not exist, and of values that do not fit.
var (
	unknownField = regexp.MustCompile(`field (\S+) not found in type \S+`)
	wrongValue   = regexp.MustCompile("cannot unmarshal \\S+ (`.*`) into \\S+")
)

// yamlErrors puts each error on its line, without the names of types.
func yamlErrors(err error) error {
	var invalid *yaml.TypeError
	if !errors.As(err, &invalid) {
		return err
	}
	for i, text := range invalid.Errors {
		text = unknownField.ReplaceAllString(text, "unknown field $1; reference/testing.md lists the fields")
		invalid.Errors[i] = wrongValue.ReplaceAllString(text, "unexpected value $1; reference/testing.md shows an example")
	}
	return errors.New(strings.Join(invalid.Errors, "\n"))
}

func (f seedFile) declaration(directory string) (Declaration, error) {
	made := Declaration{Directory: ExampleKeys}
	var errs []error
	names, ids, clients, keys := map[string]bool{}, map[int64]bool{}, map[string]bool{}, map[string]bool{}
	for i, a := range f.Accounts {
		declared, err := a.declared(i, directory)
		errs = append(errs, prefixed(fmt.Sprintf("accounts[%d].", i), err))
		for field, taken := range map[string]bool{
			"name": names[a.Name], "id": ids[declared.ID], "clientId": a.ClientID != "" && clients[a.ClientID],
			"pixKey": a.PixKey != "" && keys[a.PixKey],
		} {
			if taken {
				errs = append(errs, fmt.Errorf("accounts[%d].%s: expected a value of its own, got that of another account", i, field))
			}
		}
		names[a.Name], ids[declared.ID], clients[a.ClientID], keys[a.PixKey] = true, true, true, true
		made.Accounts = append(made.Accounts, declared)
	}
	for i, k := range f.Directory {
		entry := pix.DirectoryEntry{
			Key: k.Key, Name: k.Name, Document: k.Document,
			ISPB: cmp.Or(k.ISPB, ExampleKeys[0].ISPB), Status: cmp.Or(k.Status, pix.AccountActive),
		}
		if refusal, refused := errors.AsType[*pix.Refusal](entry.Check()); refused {
			errs = append(errs, fmt.Errorf("directory[%d]: %s", i, fieldsOfKey.Replace(refusal.Message)))
		} else if isLocalPhone(k.Key) {
			errs = append(errs, fmt.Errorf("directory[%d].key: expected %s, got %q", i, directoryKey, k.Key))
		}
		made.Directory = append(made.Directory[:len(made.Directory):len(made.Directory)], entry)
	}
	if len(made.Accounts) == 0 {
		made.Accounts = Example().Accounts
	}
	return made, errors.Join(errs...)
}

// maxSeedID bounds the id of a declared account, so that ids remain for others.
const maxSeedID = 999_999_999

// fieldsOfKey renames the fields of a key in messages that the test controls return too.
var fieldsOfKey = strings.NewReplacer("pixKey must", "key must", "accountStatus must", "status must")

// prefixed puts a prefix before each line of an error.
func prefixed(prefix string, err error) error {
	if err == nil {
		return nil
	}
	return errors.New(prefix + strings.ReplaceAll(err.Error(), "\n", "\n"+prefix))
}

// accountName is the name of an account, which is also that of a directory.
var accountName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

func (a seedAccount) declared(index int, directory string) (Account, error) {
	declared := Account{NewAccount: store.NewAccount{
		ID: cmp.Or(a.ID, int64(index+1)), Name: a.Name, ClientID: a.ClientID, Secret: a.ClientSecret,
		Document: a.Document, PixKey: a.PixKey, Available: pix.Centavos(a.Balance), Settings: a.settings(),
	}}
	if err := a.check(); err != nil || a.Certificate == "" {
		return declared, err
	}
	key := a.Key
	if key != "" {
		key = below(directory, key)
	}
	var err error
	if declared.Certificate, err = ReadCertificate(below(directory, a.Certificate), key); err != nil {
		return declared, fmt.Errorf("certificate: %w", err)
	}
	return declared, nil
}

func (a seedAccount) settings() *pix.Settings {
	s := pix.DefaultSettings()
	s.Fees = pix.Fees{CashOut: pix.Centavos(a.Fees.CashOut), CashIn: pix.Centavos(a.Fees.CashIn)}
	for to, given := range map[**pix.Centavos]limit[reais]{
		&s.Limits.PerTransaction: a.Limits.PerTransaction, &s.Limits.Daily: a.Limits.Daily, &s.Limits.Night: a.Limits.Night,
	} {
		if given.given {
			*to = (*pix.Centavos)(given.value)
		}
	}
	if requests := a.Limits.RequestsPerMinute; requests.given {
		s.Limits.RequestsPerMinute = requests.value
	}
	s.Settlement = cmp.Or(a.Settlement, s.Settlement)
	s.Refunds = cmp.Or(a.Refunds, s.Refunds)
	return &s
}

// check returns an error for each field with a value that no client could use.
func (a seedAccount) check() error {
	var errs []error
	expect := func(ok bool, field, expected string, got any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: expected %s, got %#v", field, expected, got))
		}
	}
	expect(accountName.MatchString(a.Name), "name", "lower-case letters, digits and hyphens", a.Name)
	expect(a.ID >= 0 && a.ID <= maxSeedID, "id", fmt.Sprintf("a whole number from 1 to %d", maxSeedID), a.ID)
	expect(a.ClientID == "" || pix.IsUUIDv4(a.ClientID), "clientId", "a UUID v4", a.ClientID)
	expect(a.Document == "" || pix.IsDocument(a.Document), "document", pix.DocumentForm, a.Document)
	expect(a.PixKey == "" || pix.IsDirectoryKey(a.PixKey) && !isLocalPhone(a.PixKey), "pixKey", directoryKey, a.PixKey)
	expect(a.Settlement.Valid() || a.Settlement == "", "settlement", "automatic or manual", string(a.Settlement))
	expect(a.Refunds.Valid() || a.Refunds == "", "refunds", "automatic or manual", string(a.Refunds))
	if requests := a.Limits.RequestsPerMinute.value; requests != nil {
		expect(*requests >= 0, "limits.requestsPerMinute", "none or a whole number from 0", *requests)
	}
	if a.Key != "" && a.Certificate == "" {
		errs = append(errs, errors.New("key: expected certificate too; add certificate: client.pem"))
	}
	return errors.Join(errs...)
}

// directoryKey is how the directory spells keys.
const directoryKey = pix.DirectoryKeyForm + ", in lower case"

// isLocalPhone says whether a key can only be a phone number without +55, although it looks like a CPF.
func isLocalPhone(key string) bool { return pix.KeyPhone.Matches(key) && !pix.ValidDocument(key) }

// ReadCertificate reads a certificate and its private key, if key is not empty.
func ReadCertificate(certificate, key string) (*certs.Certificate, error) {
	text, err := os.ReadFile(certificate)
	if err != nil {
		return nil, err
	}
	var keyText []byte
	if key != "" {
		if keyText, err = os.ReadFile(key); err != nil {
			return nil, err
		}
	}
	read, err := certs.Load(text, keyText)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", certificate, err)
	}
	return read, nil
}

// below resolves a path relative to a directory.
func below(directory, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(directory, path)
}
