package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/record"
)

// combining are requests with choices of status, page and externalId.
func combining(all ...[3]string) (requests []*record.Attempt) {
	for _, c := range all {
		requests = append(requests, &record.Attempt{Chosen: []dimensions.Pick{{Dimension: "status", Choice: c[0]}, {Dimension: "page", Choice: c[1]}, {Dimension: "externalId", Choice: c[2]}}})
	}
	return requests
}

func TestTheSmallestCombinationIsBlamed(t *testing.T) {
	t.Parallel()
	right := combining([3]string{"absent", "1", "absent"}, [3]string{"PENDING", "1", "absent"}, [3]string{"absent", "2", "absent"}, [3]string{"ERROR", "2", "absent"})
	for want, wrong := range map[string][]*record.Attempt{
		"externalId is given":             combining([3]string{"absent", "1", "x"}, [3]string{"PENDING", "2", "y"}),
		"externalId is x":                 combining([3]string{"absent", "1", "x"}),
		"status is PENDING and page is 2": combining([3]string{"PENDING", "2", "absent"}),
		"":                                combining([3]string{"absent", "1", "absent"}),
	} {
		assert.Equal(t, want, blamed(wrong, right).String())
	}
	assert.Empty(t, blamed(combining([3]string{"absent", "1", "x"}), nil), "of all requests that are wrong, nothing is to blame")
	assert.Empty(t, blamed([]*record.Attempt{{}}, []*record.Attempt{{}}), "nothing was combined")
}

func TestEvidenceShowsThatEachPartAloneIsRight(t *testing.T) {
	t.Parallel()
	wrong := combining([3]string{"PENDING", "2", "absent"})
	right := combining([3]string{"PENDING", "1", "absent"}, [3]string{"absent", "2", "absent"}, [3]string{"ERROR", "2", "absent"})
	assert.Equal(t, "wrong 1 time of 1, right in 3 of the 3 others; right 1 time if only status is PENDING; right 2 times if only page is 2",
		blamed(wrong, right).evidence(wrong, right))
}
