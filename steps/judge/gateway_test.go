package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
)

// Of a record without entries, nothing is known. What is added is known at once, and so is what was known before.
func TestTheGatewayOfARecord(t *testing.T) {
	t.Parallel()
	s := New("cash-in.paid", nil, &record.Terms{})
	assert.Empty(t, s.gateway().now().Things())
	for _, row := range Rows(s) {
		assert.False(t, row.WasObserved, "%v", row)
	}
	s.Add(sent(0, "cob", `{"valor":{"original":"10.00"},"calendario":{"expiracao":3600}}`, 201, `{"status":"ATIVA"}`))
	things := s.gateway().now().Things()
	assert.Len(t, things, 1)
	assert.Equal(t, spec.Cob, things[0].Kind)
	assert.Empty(t, s.gateway().before[0].Things())
}
