package spec

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/api"
)

// A code tells the reason of a rejection; without one, the status only tells that there is one.
func TestReasonsOfRejections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		noun   string
		status int
		code   api.Code
		want   Answer
	}{
		{"cash-out", 400, api.InsufficientBalance, Insufficient},
		{"cash-out", 400, api.AboveNight, OverNight},
		{"cash-out", 400, "", AnyReason},
		{"cash-out", 409, api.DuplicateExternalID, NoReason},
		{"QR cash-out", 400, api.InsufficientBalance, AnyReason},
		{"transfer", 422, "", AnyReason},
		{"refund", 404, "", NoReason},
		{"balance request", 400, "", NoReason},
	} {
		assert.Equal(t, c.want, ReasonOf(api.MustNamed(c.noun), c.status, c.code), "%v", c)
	}
	statuses, code := RejectedAs(api.MustNamed("split cash-in"), Duplicate)
	assert.Equal(t, []int{400, 409}, statuses)
	assert.Empty(t, code)
}

// The certificate of a token request may have several flaws.
func TestReasonsOfCertificates(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []Flaw{PastItsEnd}, FlawsOf("an expired"))
	assert.Empty(t, FlawsOf("a valid"))
	assert.Empty(t, RejectedFor())
	assert.Equal(t, []api.Code{api.CertNotAuthorized}, RejectedFor(OfAnother))
	assert.Equal(t, []api.Code{api.CertExpired, api.CertNotRegistered}, RejectedFor(PastItsEnd, Revoked))
	assert.Equal(t, []api.Code{api.CertExpired, api.CertNotAuthorized, api.CertNotRegistered}, RejectedFor(PastItsEnd, OfAnother))
	for _, row := range flaws {
		assert.Equal(t, []api.Code{row.code}, RejectedFor(row.flaw))
	}
}
