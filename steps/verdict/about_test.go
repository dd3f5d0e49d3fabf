package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAboutTexts(t *testing.T) {
	t.Parallel()
	for texts, want := range map[[2]string]About{
		{"available to fall by R$ 1.00", "fell by R$ 2.00, from R$ 9.00 to R$ 7.00"}: {Kind: Movement, Expected: Falls, Got: Falls},
		{"blocked not to rise", "rose by R$ 2.00, from R$ 0.00 to R$ 2.00"}:          {Kind: Movement, Expected: Rises, Got: Rises},
		{"available to rise by R$ 1.00", "unchanged, from R$ 9.00 to R$ 9.00"}:       {Kind: Movement, Expected: Rises, Got: Stays},
		{"rejected with 400", "201"}:                                                          {Kind: Rejection, Status: 201, MustFail: true},
		{"rejected with 400 A", "400 B, value is wrong"}:                                      {Kind: Rejection, Status: 400, Code: "B", MustFail: true},
		{"rejected with 400 A, naming value", "400 A, key is wrong"}:                          {Kind: Rejection, Status: 400, Code: "A", MustFail: true, RightCode: true},
		{"accepted with 201", "500, with a body that is not JSON"}:                            {Kind: Rejection, Status: 500},
		{"GET /a to list only payment 1", "also another transaction: Pix out of R$ 1.00 (a)"}: {Kind: Listing, Stranger: true},
		{"status to be PENDING", `"ERROR"`}:                                                   {},
	} {
		assert.Equal(t, want, AboutTexts(texts[0], texts[1]), "%s", texts)
	}
}
