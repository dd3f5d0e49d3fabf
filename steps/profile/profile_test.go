package profile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/target"
)

// folder is a directory with files that profiles name: certs/shop.pem and its key,
// another key, certs/sink.pem for 127.0.0.1, and a secret.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	shop, err := authority.Issue(certs.Client{Name: "shop"})
	require.NoError(t, err)
	other, err := authority.Issue(certs.Client{Name: "other"})
	require.NoError(t, err)
	server, err := authority.IssueServer("127.0.0.1", "hooks.acme.example")
	require.NoError(t, err)
	sink, err := certs.FromTLS(server)
	require.NoError(t, err)
	old, err := authority.Issue(certs.Client{Name: "old", Validity: certs.Expired})
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "certs"), 0o755))
	for name, content := range map[string][]byte{
		"certs/ca.pem": authority.PEM(), "certs/shop.pem": shop.PEM(), "certs/shop.key": shop.KeyPEM(),
		"certs/other.key": other.KeyPEM(), "certs/sink.pem": sink.PEM(), "certs/sink.key": sink.KeyPEM(),
		"certs/old.pem": old.PEM(), "secret": []byte("from-a-file\n"), "empty": nil,
		"odd": []byte("a\nbc\ufeffd\n"), "utf-16": []byte("\xff\xfea\x00"), "marked": []byte("\ufefffrom-a-file\n"),
		"huge": bytes.Repeat([]byte("x"), 1<<20+1),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	return dir
}

// environment is what getenv of tests knows.
var environment = map[string]string{
	"ACME_HOST": "sandbox.acme.example", "ACME_CLIENT_ID": "client-1", "ACME_TOKEN": "control-token",
	"ACME_KEY": "api-key", "ACME_ID": "93", "EMPTY": "", "BAD_URL": "ftp://unseen", "ODD": "h\u00a0st", "SHORT": "unseen",
}

func getenv(name string) (string, bool) {
	value, set := environment[name]
	return value, set
}

func read(t testing.TB, dir, text string) (target.Profile, []string, error) {
	t.Helper()
	file := filepath.Join(dir, "pixcert.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return profile.Read(file, getenv)
}

const everything = `# yaml-language-server: $schema=./pixcert-profile.schema.json
name: acme $${sandbox}
url: https://${ACME_HOST}/pix
image:
  name: acme/gateway:1.4
  command: [serve, "--admin=${ACME_TOKEN}"]
  env: {DATABASE_PASSWORD: "${ACME_KEY}", DATABASE_URL: "postgres://pix:${ACME_KEY}@db/pix", KEY: file:certs/shop.key, LOG_LEVEL: debug, EMPTY: ""}
  mounts: [{source: certs, target: /certs, readOnly: true}, {source: secret, target: /run/secret}]
  port: 8443
  controlsPort: 8081
  health: /healthz
  startUp: 90s
tokenPath: /oauth/token
families: [public, central-bank, med, webhooks]
accounts:
  - clientId: ${ACME_CLIENT_ID}
    clientSecret: file:secret
    certificate: certs/shop.pem
    key: certs/shop.key
    id: 93
    shared: true
    name: Shop Ltda
    pixKey: 5a5ea8c2-cbb5-4c25-a7be-2a778871fc5f
    document: "12345678000195"
    ispb: "12345678"
  - {clientId: client-2, clientSecret: literal, certificate: certs/old.pem, key: file:certs/shop.key, id: "${ACME_ID}"}
tls:
  ca: certs/ca.pem
  clientCertificate: handshake
  certificate: certs/shop.pem
  key: certs/shop.key
controls:
  url: https://controls.acme.example
  token: ${ACME_TOKEN}
  command: [python3, adapter.py, "${ACME_KEY}"]
  without: [clock]
sandboxScenarios:
  CONFIRMED: success
  TAX_ID_MISMATCH: error:document-mismatch
limits: {perTransaction: "15000.00", night: none}
fees: {cashOut: "0.50", cashIn: "0.00"}
deadlines: {answer: 10s, webhook: 1m30s, balance: 10s, quiet: 250ms, control: 15s}
sink:
  listen: 127.0.0.1:9443
  url: https://hooks.acme.example:9443
  certificate: certs/sink.pem
  key: certs/sink.key
  paths: [/hooks/1, /hooks/2]
headers: {X-Api-Key: "${ACME_KEY}"}
requestsPerSecond: 50
proxy: "http://pix:${ACME_KEY}@proxy.acme.example:3128"
`

// What TestReadEverything reads is every field that the schema has.
func TestEverythingHasEachField(t *testing.T) {
	t.Parallel()
	var schema, said map[string]any
	require.NoError(t, json.Unmarshal(profile.Schema, &schema))
	require.NoError(t, yaml.Unmarshal([]byte(everything), &said))
	defs := schema["$defs"].(map[string]any)
	var compare func(where string, node map[string]any, said any)
	compare = func(where string, node map[string]any, said any) {
		if ref, ok := node["$ref"].(string); ok {
			node = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		if list, ok := said.([]any); ok {
			compare(where+"[]", node["items"].(map[string]any), list[0])
		}
		properties, ok := node["properties"].(map[string]any)
		if !ok {
			return
		}
		assert.Equal(t, false, node["additionalProperties"], "%s allows any field", where)
		for name, property := range properties {
			value, there := said.(map[string]any)[name]
			if where+"."+name == ".limits.daily" { // a limit that is not known
				continue
			}
			if assert.True(t, there, "%s.%s", where, name) {
				compare(where+"."+name, property.(map[string]any), value)
			}
		}
	}
	compare("", schema, said)
}

func TestReadEverything(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	// The second account has another's key here, which is right in the next line.
	text := strings.Replace(everything, "certificate: certs/old.pem, key: file:certs/shop.key", "certificate: certs/shop.pem, key: file:certs/shop.key", 1)
	p, notes, err := read(t, dir, text)
	require.NoError(t, err)
	of := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return content
	}
	amount := "15000.00"
	perTransaction, night := target.Limit(&amount), target.Limit(nil)
	assert.Equal(t, target.Profile{
		Name: "acme ${sandbox}", BaseURL: "https://sandbox.acme.example/pix", TokenPath: "/oauth/token",
		Families: []target.Family{target.Public, target.CentralBank, target.MEDFamily, target.Webhooks},
		Accounts: []target.Account{{
			ClientID: "client-1", ClientSecret: "from-a-file", Certificate: of("certs/shop.pem"), Key: of("certs/shop.key"),
			AccountID: 93, Shared: true, Name: "Shop Ltda", PixKey: "5a5ea8c2-cbb5-4c25-a7be-2a778871fc5f", Document: "12345678000195", ISPB: "12345678",
		}, {
			ClientID: "client-2", ClientSecret: "literal", Certificate: of("certs/shop.pem"), Key: bytes.TrimSpace(of("certs/shop.key")), AccountID: 93,
		}},
		TLS: target.TLS{CA: of("certs/ca.pem"), Handshake: true, Certificate: of("certs/shop.pem"), Key: of("certs/shop.key")},
		Control: &target.ControlAccess{
			URL: "https://controls.acme.example", Token: "control-token", Without: []target.Control{target.Clock},
			Command: []string{"python3", "adapter.py", "api-key"}, Directory: dir,
		},
		SandboxScenarios: map[string]string{"CONFIRMED": "success", "TAX_ID_MISMATCH": "error:document-mismatch"},
		Limits:           target.Limits{PerTransaction: &perTransaction, Night: &night},
		Fees:             target.Fees{CashOut: "0.50", CashIn: "0.00"},
		Deadlines:        target.Deadlines{Answer: 10 * time.Second, Webhook: 90 * time.Second, Balance: 10 * time.Second, Quiet: 250 * time.Millisecond, Control: 15 * time.Second},
		Sink: target.Sink{
			Listen: "127.0.0.1:9443", URL: "https://hooks.acme.example:9443", Paths: []string{"/hooks/1", "/hooks/2"},
			Certificate: of("certs/sink.pem"), Key: of("certs/sink.key"),
		},
		Header: map[string]string{"X-Api-Key": "api-key"}, RequestsPerSecond: 50, Proxy: "http://pix:api-key@proxy.acme.example:3128",
		Container: &target.Container{
			Image: "acme/gateway:1.4", Command: []string{"serve", "--admin=control-token"},
			Env: map[string]string{
				"DATABASE_PASSWORD": "api-key", "DATABASE_URL": "postgres://pix:api-key@db/pix",
				"KEY": string(bytes.TrimSpace(of("certs/shop.key"))), "LOG_LEVEL": "debug", "EMPTY": "",
			},
			Mounts: []target.Mount{{Source: filepath.Join(dir, "certs"), Target: "/certs", ReadOnly: true}, {Source: filepath.Join(dir, "secret"), Target: "/run/secret"}},
			Port:   8443, ControlsPort: 8081, Health: "/healthz", StartUp: 90 * time.Second,
		},
		Secrets: []string{string(bytes.TrimSpace(of("certs/shop.key"))), "--admin=control-token", "api-key", "control-token", "postgres://pix:api-key@db/pix"},
	}, p)
	assert.Equal(t, []string{
		filepath.Join(dir, "pixcert.yaml") + ":26: accounts[1].clientSecret: this secret is in plain text, and profiles are often shared; use ${NAME} or file:PATH",
	}, notes)
}

func TestReadLittle(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p, notes, err := read(t, dir, "url: http://127.0.0.1:8080\n")
	require.NoError(t, err)
	assert.Empty(t, notes)
	assert.Equal(t, target.Profile{BaseURL: "http://127.0.0.1:8080"}, p)

	p, _, err = read(t, dir, "image: {name: acme/gateway}\ncontrols: {token: '${ACME_TOKEN}', without: [clock]}\n")
	require.NoError(t, err)
	assert.Equal(t, target.Profile{
		Container: &target.Container{Image: "acme/gateway"},
		Control:   &target.ControlAccess{Token: "control-token", Without: []target.Control{target.Clock}},
	}, p, "the controls are those of the image")

	_, notes, err = read(t, dir, "url: http://127.0.0.1:8080\naccounts:\n  - {clientId: a, clientSecret: file:secret, certificate: certs/old.pem}\n")
	require.NoError(t, err)
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0], ":3: accounts[0].certificate: the certificate expired on ")

	inline, err := os.ReadFile(filepath.Join(dir, "certs/ca.pem"))
	require.NoError(t, err)
	p, _, err = read(t, dir, "url: https://gateway.example\ntls:\n  ca: |\n    "+strings.ReplaceAll(string(inline), "\n", "\n    "))
	require.NoError(t, err)
	assert.Equal(t, string(inline), string(p.TLS.CA), "PEM may stand in the profile itself")
}

// Some editors write a byte order mark, in profiles and in secrets. A name may have any space.
func TestReadWithByteOrderMarks(t *testing.T) {
	t.Parallel()
	p, _, err := read(t, folder(t), "\ufeffurl: http://gateway\nname: R$\u00a01 # \u00a0\ncontrols: {url: http://x, token: file:marked}\n")
	require.NoError(t, err)
	assert.Equal(t, "from-a-file", p.Control.Token)
	assert.Equal(t, "R$\u00a01", p.Name)
}

// Each profile is wrong in one way or several; the messages are exact, without the file.
func TestMistakes(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	const account = "url: http://gateway\naccounts:\n  - clientId: a\n    clientSecret: file:secret\n    certificate: certs/shop.pem\n"
	for text, want := range map[string][]string{
		"":             {":1: the profile is empty; run pixcert init to create one"},
		"# a comment":  {":1: the profile is empty; run pixcert init to create one"},
		"just a text":  {":1: expected fields such as url: https://gateway.example, got a single value; run pixcert init to create a profile"},
		"- url: x":     {":1: expected fields such as url: https://gateway.example, got a list; run pixcert init to create a profile"},
		"name: x":      {":1: url: url or image is required; add url: https://sandbox.acme.example/pix"},
		"url: [http:/": {":1: invalid YAML: did not find expected ',' or ']'; check this line and the lines around it"},
		"url: http://gateway\nheaders: {X-Shop: ${ACME_KEY}, X-A: b}": {
			`:1: invalid YAML: did not find expected ',' or '}'; check this line and the lines around it; quote variables between { and }: "${NAME}"`},
		"url: http://gateway\ntls:\n\tca: x\n":         {":3: expected spaces before the field, got a tab; indent YAML with spaces"},
		"url: http://gateway\n---\nurl: http://b":      {":2: expected one YAML document, got a second one after ---; move it to another file"},
		"url: &a http://gateway\nname: *a":             {":2: name: expected a value, got the alias *a; repeat the value, aliases are not supported"},
		"url: http://gateway\nurl: http://b":           {":2: url: duplicate of the field in line 1; remove one of the two"},
		"url: http://gateway\n? [a]\n: b":              {":2: expected a field name, got a list; write name: value"},
		"url: !gateway http://gateway":                 {":1: url: expected a plain value, got the YAML tag !gateway; remove the tag"},
		"url: http://gateway\nnmae: x\nnonsense: hush": {":2: nmae: unknown field; did you mean image or name?", ":3: nonsense: unknown field; expected one of accounts, controls, deadlines, families, fees, headers, image, limits, name, proxy, requestsPerSecond, sandboxScenarios, sink, tls, tokenPath, url"},
		"url: http://gateway\nname:":                   {":2: name: expected a string such as acme sandbox, got nothing; set a value or remove the field"},
		"url: http://gateway\nname: 5":                 {`:2: name: expected a string such as acme sandbox, got 5; quote it: "5"`},
		"url: http://gateway\nname: ''":                {":2: name: must not be empty; set a value or remove the field"},
		"url: http://gateway\ntls: handshake":          {`:2: tls: expected fields, got "handshake"`},
		"url: http://gateway\nfamilies: med":           {`:2: families: expected a list such as [public, webhooks], got "med"`},
		"url: http://gateway\nfamilies: [meds, med, med]": {
			`:2: families[0]: expected one of public, central-bank, med, webhooks, got "meds"; did you mean med?`,
			":2: families[2]: duplicate of [1]; remove one of the two"},

		"url: http://gateway\n\u00a0name: x":                              {":2: column 1: a no-break space (U+00A0), which only looks like a space or like nothing; delete it, or type a space"},
		"url: http://gateway\ntls:\n\u00a0 ca: x":                         {":2: tls: expected fields, got nothing; set a value or remove the field", ":3: column 1: a no-break space (U+00A0), which only looks like a space or like nothing; delete it, or type a space"},
		"url: http://gateway\n\ufeffname: x":                              {":2: column 1: a byte order mark (U+FEFF), which only looks like a space or like nothing; delete it, or type a space"},
		"url: http://gateway\u202f":                                       {":1: url: the value has in column 15: a narrow no-break space (U+202F), which only looks like a space or like nothing; delete it, or type a space"},
		"url: http://${ODD}/x":                                            {":1: url: the value of http://${ODD}/x has in column 9: a no-break space (U+00A0), which only looks like a space or like nothing; delete it, or type a space"},
		"url: http://gateway\ncontrols: {url: http://x, token: file:odd}": {":2: controls.token: odd, line 2, column 3: a byte order mark (U+FEFF), which only looks like a space or like nothing; delete it, or type a space"},
		"url: file:utf-16":                                                {":1: url: cannot read utf-16 (relative to the profile): the file is in UTF-16; save it in UTF-8"},
		"url: gateway":                                                    {`:1: url: expected a URL without user, query or fragment, such as https://gateway.example or http://127.0.0.1:8080, got "gateway"`},
		"url: https://me:hush@gateway":                                    {`:1: url: expected a URL without user, query or fragment, such as https://gateway.example or http://127.0.0.1:8080, got "https://***@gateway"`},
		"url: http://[::1":                                                {`:1: url: expected a URL such as https://gateway.example:8443, without user, query or fragment, got "http://[::1"`},
		"url: ${BAD_URL}/x":                                               {":1: url: expected a URL without user, query or fragment, such as https://gateway.example or http://127.0.0.1:8080, got another value from ${BAD_URL}/x"},
		"url: ${UNSET}":                                                   {":1: url: environment variable UNSET is not set; run export UNSET=..."},
		"url: ${EMPTY}":                                                   {":1: url: environment variable EMPTY is empty; run export EMPTY=..."},
		"url: ${not a name}":                                              {":1: url: expected the name of an environment variable between ${ and }; write ${NAME}, or $${ for a literal ${"},
		"url: ${ACME_HOST":                                                {":1: url: expected the name of an environment variable between ${ and }; write ${NAME}, or $${ for a literal ${"},
		"url: $${ACME_HOST}":                                              {`:1: url: expected a URL such as https://gateway.example:8443, without user, query or fragment, got "$${ACME_HOST}"`},
		"url: file:nowhere":                                               {":1: url: cannot read nowhere (relative to the profile): no such file or directory; create it or correct the path"},
		"url: file:certs":                                                 {":1: url: cannot read certs (relative to the profile): is a directory; correct the path"},
		"url: http://x\nname: file:huge":                                  {":2: name: cannot read huge (relative to the profile): larger than 1048576 bytes; is this the right file?"},

		"url: http://gateway\naccounts:\n  - clientId: a": {
			":3: accounts[0].certificate: required field is missing; add certificate: certs/account-1.pem",
			":3: accounts[0].clientSecret: required field is missing; add clientSecret: ${ACME_CLIENT_SECRET}"},
		"url: http://gateway\naccounts:\n  - clientId: a\n    clientSecret: 12345\n    certificate: certs/shop.pem": {
			":4: accounts[0].clientSecret: expected a string such as ${ACME_CLIENT_SECRET}, got a number (hidden: it may be secret); quote it"},
		account + "    document: 12345678000195\n    ispb: 01234567": {
			`:6: accounts[0].document: expected a CNPJ of 14 digits or a CPF of 11, in quotes, got 12345678000195; quote it: "12345678000195"`,
			`:7: accounts[0].ispb: expected 8 digits, in quotes, got 01234567; quote it: "01234567"`},
		account + "    id: 0":     {":6: accounts[0].id: expected a number from 1 to 9007199254740991, got 0"},
		account + "    id: 1.5":   {":6: accounts[0].id: expected a whole number above zero, got 1.5"},
		account + "    id: .inf":  {":6: accounts[0].id: expected a finite number or a quoted string"},
		account + "    id: 1e999": {`:6: accounts[0].id: expected a whole number above zero, got "1e999"`},
		account + "    key: certs/other.key": {
			`:6: accounts[0].key: the private key does not match the certificate of "shop"; use the key that the certificate was issued for`},
		account + "    key: MIGHAgEAMBMGByqG": {
			":6: accounts[0].key: cannot read a path that is hidden because it may be a key (relative to the profile): no such file or directory; create it or correct the path"},
		strings.Replace(account, "certs/shop.pem", "certs/shop.key", 1): {
			":5: accounts[0].certificate: expected a PEM certificate (-----BEGIN CERTIFICATE-----), got only PRIVATE KEY; use the file that contains the certificate"},
		strings.Replace(account, "certs/shop.pem", "empty", 1): {
			":5: accounts[0].certificate: expected a PEM certificate (-----BEGIN CERTIFICATE-----), got nothing; use the file that contains the certificate"},
		account + "controls: {url: http://controls}": {
			":3: accounts[0].id: required because the test controls identify accounts by it; add id: 93"},
		account + "tls: {clientCertificate: handshake}": {
			":3: accounts[0].key: required because tls.clientCertificate is handshake; add key: certs/account-1.key",
			":6: tls.clientCertificate: handshake requires TLS, but url begins with http:; use an https URL, or set clientCertificate: header"},
		account + "  - clientId: a\n    clientSecret: file:secret\n    certificate: certs/shop.pem": {
			":6: accounts[1].clientId: duplicate of accounts[0].clientId; remove one of the two accounts"},

		"url: http://gateway\ntls: {ca: secret, certificate: certs/shop.pem}": {
			":2: tls.ca: expected a PEM certificate (-----BEGIN CERTIFICATE-----), got 12 bytes without a PEM block; use the file that contains the authority's certificate",
			":2: tls.key: required with certificate; add key: certs/edge.key"},
		"url: http://gateway\ncontrols: {without: [cock], token: hush}": {
			":2: controls.url: required with token; add url: https://controls.acme.example",
			`:2: controls.without[0]: expected one of accounts, funds, fees, limits, clock, certificates, directory, settlement, payments, charges, refunds, returns, splits, med, faults, got "cock"; did you mean clock?`},
		"url: http://gateway\ncontrols: {without: [clock]}": {
			":2: controls: expected url, command or both, got neither; add one, or remove controls"},

		"image: acme/gateway": {`:1: image: expected fields, got "acme/gateway"`},
		"image:":              {":1: image: expected fields, got nothing; set a value or remove the field"},
		"image: {naem: acme}": {
			":1: image.naem: unknown field; did you mean name?",
			":1: image.name: required field is missing; add name: acme/gateway:1.4"},
		"image: {name: a b, command: serve, mounts: {source: certs}}": {
			":1: image.command: expected a list such as [serve], got \"serve\"",
			":1: image.mounts: expected a list such as [{readOnly: true, source: certs, target: /certs}], got fields",
			`:1: image.name: expected the name of an image, such as acme/gateway:1.4, got "a b"`},
		"image:\n  name: acme\n  port: 70000\n  controlsPort: '8081'\n  health: healthz\n  startUp: 60": {
			":3: image.port: expected a number from 1 to 65535, got 70000",
			`:4: image.controlsPort: expected a whole number such as 8081, got "8081"`,
			`:5: image.health: expected a path that begins with / and has no query, such as /healthz, got "healthz"`,
			":6: image.startUp: expected a duration with its unit, such as 250ms, 10s or 1m30s, got 60"},
		"image:\n  name: acme\n  env: {PORT: 8080, TOKEN: [hush], A B: hush, C=D: hush, E: '${UNSET}'}": {
			":3: image.env.A B: expected the name of a variable, without = or spaces",
			":3: image.env.C=D: expected the name of a variable, without = or spaces",
			":3: image.env.E: environment variable UNSET is not set; run export UNSET=...",
			":3: image.env.PORT: expected a string such as ${ACME_DATABASE_PASSWORD}, got a number (hidden: it may be secret); quote it",
			":3: image.env.TOKEN: expected a string such as ${ACME_DATABASE_PASSWORD}, got a list"},
		"image:\n  name: acme\n  mounts:\n  - {source: nowhere, target: certs}\n  - {source: certs, target: /certs, readOnly: yes}\n  - {source: secret, target: /certs/}\n  - {source: '${SHORT}', target: '$${x}'}\n  - {target: /}": {
			":4: image.mounts[0].source: cannot read nowhere (relative to the profile): no such file or directory; create it or correct the path",
			`:4: image.mounts[0].target: expected an absolute path below the container's root, such as /certs, got "certs"`,
			`:5: image.mounts[1].readOnly: expected true or false, got "yes"`,
			":6: image.mounts[2].target: duplicate of image.mounts[1].target; correct one of the two",
			":7: image.mounts[3].source: cannot read ${SHORT} (relative to the profile): no such file or directory; create it or correct the path",
			`:7: image.mounts[3].target: expected an absolute path inside the container, such as /certs, got "$${x}"`,
			":8: image.mounts[4].source: required field is missing; add source: certs",
			`:8: image.mounts[4].target: expected an absolute path below the container's root, such as /certs, got "/"`},
		"image: {name: acme, port: 8080, controlsPort: 8081}\nurl: http://127.0.0.1:9090\ncontrols: {url: 'http://127.0.0.1:9091'}": {
			":1: image.controlsPort: port 8081 differs from the port in controls.url; correct one of the two, or remove this field",
			":1: image.port: port 8080 differs from the port in url; correct one of the two, or remove this field"},
		"image: {name: acme}\ntls: {clientCertificate: handshake}": {
			":2: tls.clientCertificate: handshake requires TLS, but an image without url is reached over http; add url: https://localhost:8443, with the port inside the container, or set clientCertificate: header"},
		"url: http://gateway\nsandboxScenarios: {ORDER_REJECT: x, CONFIRMED: ''}": {
			`:2: sandboxScenarios.CONFIRMED: expected a header value: printable ASCII, without a leading or trailing space, got ""`,
			":2: sandboxScenarios.ORDER_REJECT: expected one of CONFIRMED, TAX_ID_MISMATCH, INVALID_TAX_ID, BLOCKED_ACCOUNT, ACCOUNT_CLOSED, ORDER_REJECTED, PAYMENT_EXPIRED, SETTLEMENT_TIMEOUT; did you mean ORDER_REJECTED?"},
		"url: http://gateway\nlimits: {daily: 100.00, night: '1', perTransaction: '$${x}'}": {
			`:2: limits.daily: expected an amount in reais with two decimals, in quotes, such as "15000.00", or none, got 100.00; quote it: "100.00"`,
			`:2: limits.night: expected an amount in reais with two decimals, in quotes, such as "15000.00", or none, got "1"`,
			`:2: limits.perTransaction: expected an amount in reais with two decimals, got "$${x}"`},
		"url: http://gateway\nfees: {cashOut: '1,00'}": {`:2: fees.cashOut: expected an amount in reais with two decimals, in quotes, such as "0.50", got "1,00"`},
		"url: http://gateway\ndeadlines: {answer: 10, quiet: 0s, webhook: 1 minute}": {
			":2: deadlines.answer: expected a duration with its unit, such as 250ms, 10s or 1m30s, got 10",
			`:2: deadlines.quiet: expected a duration above zero, such as 10s, got "0s"`,
			`:2: deadlines.webhook: expected a duration with its unit, such as 250ms, 10s or 1m30s, got "1 minute"`},
		"url: http://gateway\nsink: {listen: '127.0.0.1:99999', url: 'http://hooks', paths: [hooks]}": {
			`:2: sink.listen: expected host:port such as 127.0.0.1:9443, with a port above 0 if url is set, got "127.0.0.1:99999"`,
			`:2: sink.paths[0]: expected a path that begins with / and has no query, such as /hooks/1, got "hooks"`,
			`:2: sink.url: expected an https URL without a query, such as https://hooks.acme.example:9443, got "http://hooks"`},
		"url: http://gateway\nsink: {listen: '127.0.0.1:9443', url: 'https://elsewhere.example', certificate: certs/sink.pem, key: certs/sink.key}": {
			":2: sink.certificate: the certificate is for hooks.acme.example, 127.0.0.1, not for the sink's host; issue one for that host, or correct sink.url"},
		"url: http://gateway\nheaders: {authorization: hush, X Y: hush, X-A: \"a\\nhush\", x-b: hush, X-B: hush}": {
			":2: headers.X Y: expected a header name of letters, digits and hyphens",
			":2: headers.X-A: expected a header value: printable ASCII, without a leading or trailing space, got a string (hidden: it may be secret)",
			":2: headers.authorization: reserved: pixcert sets or omits this header itself; remove it",
			":2: headers.x-b: duplicate of X-B; remove one of the two"},
		"url: http://gateway\nproxy: gopher://pix:hush@proxy": {":2: proxy: expected none, or the URL of a proxy, such as http://proxy.acme.example:3128, got a string (hidden: it may be secret)"},
		"url: http://gateway\nproxy: ${BAD_URL}":              {":2: proxy: expected none, or the URL of a proxy, such as http://proxy.acme.example:3128, got a string (hidden: it may be secret)"},
		"url: http://gateway\nrequestsPerSecond: 0.5":         {":2: requestsPerSecond: expected a number from 1 to 1000000, got 0.5"},
		"url: http://gateway\nname: " + strings.Repeat("[", 20) + strings.Repeat("]", 20): {
			":2: name: expected a string such as acme sandbox, got a list",
			":2: name[0][0][0][0][0][0][0][0]: nested deeper than 8 levels; no field is that deep"},
	} {
		t.Run(text, func(t *testing.T) {
			own, err := os.MkdirTemp(dir, "") // t.TempDir has the profile in its name
			require.NoError(t, err)
			for _, name := range []string{"certs", "secret", "empty", "huge", "odd", "utf-16"} {
				require.NoError(t, os.Symlink(filepath.Join("..", name), filepath.Join(own, name)))
			}
			_, _, err = read(t, own, text)
			require.Error(t, err)
			var came []string
			errs, ok := err.(profile.Errors)
			require.True(t, ok, "%v", err)
			for _, m := range errs {
				came = append(came, strings.TrimPrefix(m.String(), filepath.Join(own, "pixcert.yaml")))
			}
			assert.Equal(t, want, came)
			assert.NotContains(t, err.Error(), "hush", "no secret of the profile")
			assert.NotContains(t, err.Error(), "unseen", "nothing that a variable holds")
		})
	}
}

func TestMistakesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := read(t, folder(t), "name: 5\nurl: x\n")
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 3)
	assert.Equal(t, "the profile has 2 errors:", lines[0])
	assert.Contains(t, lines[1], "pixcert.yaml:1: name: ")
	assert.Contains(t, lines[2], "pixcert.yaml:2: url: ")

	nowhere := filepath.Join(t.TempDir(), "nowhere.yaml")
	_, _, err = profile.Read(nowhere, getenv)
	assert.EqualError(t, err, nowhere+": cannot read the profile: no such file or directory; create it or correct the path")

	_, _, err = profile.Read("https://gateway.example", getenv)
	assert.EqualError(t, err, "https://gateway.example: cannot read the profile: expected a file, got a URL; for the base URL of a gateway, use --url")
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		everything, "", "\t", "a: &a [*a]", "url: ${", "? ", "- - -", "requestsPerSecond: 1e10000000", "requestsPerSecond: .inf",
		"\xef\xbb\xbfurl: http://x", "url: \xff", "headers: {\"\": \"\"}", "'': ''", "sandboxScenarios: {'': ''}", "accounts: [{id: 0x7fffffffffffffff}]",
		"accounts: [{id: 9007199254740991.0}]", "<<: {url: http://x}", "%YAML 9.9\n---\n", "url: !!binary aGk=", "--- a\n--- b\n...", "name: file:/dev/null",
		"sa8daox%!0000: ", "image: {name: a, mounts: [{source: ., target: /a}]}", "image: {name: a, port: 1.0e3}", "image: {name: a, env: {'': ''}}",
	} {
		f.Add(seed)
	}
	dir := folder(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "file:/") || strings.Contains(text, ": /") {
			t.Skip("reads a file of this machine")
		}
		p, _, err := read(t, dir, text)
		if err == nil && p.BaseURL == "" && p.Container == nil {
			t.Fatalf("a profile of nothing was read: %+v", p)
		}
		if errs, ok := err.(profile.Errors); err != nil && (!ok || len(errs) == 0 || strings.Contains(err.Error(), "%!") && !strings.Contains(text, "%!")) {
			t.Fatal(fmt.Errorf("expected errs, got %w", err))
		}
	})
}

// Where only a plan is made, what is not on this machine is taken for right, and named; what is
// wrong in the file itself stays wrong.
func TestOutline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "pixcert.yaml")
	text := `url: ${NOT_SET_URL}/pix
accounts:
  - clientId: ${NOT_SET_1}
    clientSecret: file:secrets/one
    certificate: certs/one.pem
    id: ${NOT_SET_ID}
  - {clientId: two, clientSecret: "${EMPTY}", certificate: "${NOT_SET_PEM}", id: 94}
tls: {ca: certs/ca.pem}
controls: {url: "https://${ACME_HOST}", token: "${NOT_SET_1}"}
fees: {cashOut: "${NOT_SET_FEE}", cashIn: "0.00"}
limits: {daily: "${NOT_SET_LIMIT}"}
deadlines: {webhook: "${NOT_SET_TIME}"}
sink: {listen: "127.0.0.1:9443", certificate: certs/sink.pem, key: certs/sink.key}
headers: {X-Key: "${NOT_SET_2}"}
`
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	_, _, err := profile.Read(file, getenv)
	require.ErrorContains(t, err, "the profile has 1")
	p, notes, err := profile.Outline(file, getenv)
	require.NoError(t, err)
	assert.Equal(t, "${NOT_SET_URL}/pix", p.BaseURL)
	assert.Equal(t, []int64{1, 94}, []int64{p.Accounts[0].AccountID, p.Accounts[1].AccountID})
	assert.Equal(t, "https://sandbox.acme.example", p.Control.URL)
	assert.Equal(t, "127.0.0.1:9443", p.Sink.Listen)
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0], "not available here, assumed correct: NOT_SET_URL, NOT_SET_1, secrets/one, NOT_SET_ID, EMPTY, ")

	require.NoError(t, os.WriteFile(file, []byte(text+"requestsPerSecond: many\n"), 0o600))
	_, _, err = profile.Outline(file, getenv)
	require.ErrorContains(t, err, "pixcert.yaml:15: requestsPerSecond: expected a number")
}

// What the caller replaces need not be available; what it uses must be.
func TestReplacedFields(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pixcert.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`url: ${NOT_SET_URL}
controls: {url: "${NOT_SET_CONTROLS}", token: "file:not-there"}
image: {name: "${NOT_SET_IMAGE}", env: {KEY: "${NOT_SET_KEY}"}, mounts: [{source: not-there, target: /x}]}
sink: {listen: "${NOT_SET_SINK}"}
`), 0o600))
	all := []string{"url", "controls.url", "controls.token", "image", "sink.listen"}
	_, notes, err := profile.Read(file, getenv, all...)
	require.NoError(t, err)
	assert.Empty(t, notes)
	for i, name := range all {
		_, _, err := profile.Read(file, getenv, slices.Delete(slices.Clone(all), i, i+1)...)
		require.ErrorContains(t, err, ": "+name)
	}
	_, _, err = profile.Read(file, getenv, append(all[:3:3], "image.name", "sink.listen")...)
	require.ErrorContains(t, err, "NOT_SET_KEY")
	require.NotContains(t, err.Error(), "NOT_SET_IMAGE")
}
