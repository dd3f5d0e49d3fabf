package listing

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whether another case is another externalId is unspecified; what is a wildcard to a database is not.
func TestNearIDs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"Order-10", "Order-1", "rder-12", "Order-121"}, nearIDs("externalId", "Order-12"))
	assert.Equal(t, []string{"a_b0", "a_b", "_bc", "a_bc1", "a_b_"}, nearIDs("externalId", "a_bc"))
}
