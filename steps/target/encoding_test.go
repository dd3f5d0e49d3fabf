package target

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compressed(t *testing.T, coding, text string) string {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "zlib":
		w = zlib.NewWriter(&out)
	default:
		w, _ = flate.NewWriter(&out, flate.BestCompression)
	}
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.String()
}

// A compressed response that was not requested is decoded, within the limits of any other.
func TestCompressedResponses(t *testing.T) {
	t.Parallel()
	const text = `{"available":"10.00"}`
	large := strings.Repeat(" ", 8<<20)
	for name, c := range map[string]struct {
		coding, body string
		want, err    string
		truncated    bool
	}{
		"gzip":          {"gzip", compressed(t, "gzip", text), text, "", false},
		"upper case":    {" GZip", compressed(t, "gzip", text), text, "", false},
		"zlib":          {"deflate", compressed(t, "zlib", text), text, "", false},
		"bare deflate":  {"deflate", compressed(t, "flate", text), text, "", false},
		"identity":      {"identity", text, text, "", false},
		"empty":         {"gzip", "", "", "", false},
		"a bomb":        {"gzip", compressed(t, "gzip", large), large[:16<<10], "", true},
		"not gzip":      {"gzip", text, text, "the response has Content-Encoding: gzip, but its body is not: gzip: invalid header", false},
		"cut off":       {"gzip", compressed(t, "gzip", text)[:20], compressed(t, "gzip", text)[:20], "the response has Content-Encoding: gzip, but its body is not: unexpected EOF", false},
		"brotli":        {"br", "\x0b\x02", "\x0b\x02", "the response has Content-Encoding: br, which pixcert did not request and cannot decode", false},
		"several times": {"gzip, gzip", "x", "x", "the response has Content-Encoding: gzip, gzip, which pixcert did not request and cannot decode", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Empty(t, r.Header.Get("Accept-Encoding"))
				w.Header().Set("Content-Encoding", c.coding)
				_, _ = io.WriteString(w, c.body)
			}))
			e := open(t, Profile{BaseURL: url}).Client.Send(background(), get("/"))
			assert.Equal(t, c.want, string(e.ResponseBody))
			assert.Equal(t, c.err, e.Err)
			assert.Equal(t, c.truncated, e.Truncated)
		})
	}
}
