package container

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

func TestTheEndOfALongLogIsKept(t *testing.T) {
	t.Parallel()
	var end tail
	for i := range 200_000 {
		fmt.Fprintf(&end, "line %d of a log that has no end, or none that anyone has seen\n", i)
		require.Less(t, len(end.kept), 2*maxLog+100)
	}
	kept := end.whole()
	assert.Less(t, len(kept), maxLog+100)
	assert.True(t, bytes.HasSuffix(kept, []byte("line 199999 of a log that has no end, or none that anyone has seen\n")))
	second := strings.Split(string(kept), "\n")[1]
	assert.True(t, strings.HasPrefix(second, "line "), second)
}

func TestALogIsWithoutSecrets(t *testing.T) {
	t.Parallel()
	c := &Container{secrets: &exchange.Redactor{}}
	target.Profile{
		Control: &target.ControlAccess{Token: "controls-token"}, Accounts: []target.Account{{ClientSecret: "account-secret"}},
		Container: &target.Container{Env: map[string]string{"DATABASE_PASSWORD": "opensesame", "LOG_LEVEL": "verbosely", "DSN": "gateway:two\nlines-of-it"}},
		Secrets:   []string{"two\nlines-of-it"},
	}.Hide(c.secrets)
	for line, want := range map[string]string{
		"a controls-token, an account-secret, opensesame": "a ***, an ***, ***",
		"level verbosely":                          "level verbosely",
		"it ends with lines-of-it":                 "it ends with ***",
		"clientSecret   ENIE5TTLDE4LMQ2Q4VYRID7JQ": "clientSecret   ***",
		"Authorization: Bearer c2VjcmV0c2VjcmV0":   "Authorization: Bearer ***",
		`{"client_secret":"c2VjcmV0"}`:             `{"client_secret":"***"}`,
		"api-key=abcdef":                           "api-key=***",
		"postgres://gateway:hidden@db/pix":         "postgres://***@db/pix",
		"the token request was refused":            "the token request was refused",
	} {
		assert.Equal(t, want, c.redacted(line))
	}
}

func TestAnExcerptIsShort(t *testing.T) {
	t.Parallel()
	shown := excerpt([]byte(strings.Repeat("a line\r\n", 10_000) + "\x1b[31mred\n"))
	assert.Equal(t, tailLines, strings.Count(shown, "\n")+1)
	assert.NotContains(t, shown, "\x1b")
	assert.NotContains(t, shown, "\r")
}

func TestTheSinkIsReachable(t *testing.T) {
	t.Parallel()
	bridge := netip.MustParseAddr("172.17.0.1")
	inContainer := "https://host.docker.internal:0"
	for name, c := range map[string]struct {
		given  target.Sink
		bridge netip.Addr
		listen string
		url    string
	}{
		"on the bridge":          {target.Sink{}, bridge, "172.17.0.1:0", inContainer},
		"in a virtual machine":   {target.Sink{}, netip.Addr{}, "", inContainer},
		"on all addresses":       {target.Sink{Listen: ":9443"}, bridge, ":9443", inContainer},
		"on an address":          {target.Sink{Listen: "192.0.2.7:9443"}, bridge, "192.0.2.7:9443", ""},
		"where the profile says": {target.Sink{URL: "https://hooks.example"}, bridge, "", "https://hooks.example"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sink := reachable(c.given, c.bridge)
			assert.Equal(t, c.listen, sink.Listen)
			assert.Equal(t, c.url, sink.URL)
		})
	}
}
