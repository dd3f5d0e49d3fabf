package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// params are the last argument of a call, as in k6/http.
type params struct {
	Tags             map[string]any    `json:"tags"`
	Timeout          duration          `json:"timeout"`
	Headers          map[string]string `json:"headers"`
	ResponseCallback *statuses         `json:"responseCallback"`

	token bool // of a call whose own request is for a token
}

// readParams are those of a call; nil: none.
func (u *user) readParams(method string, v sobek.Value) *params {
	rt := u.vu.Runtime()
	if common.IsNullish(v) {
		return nil
	}
	p := params{token: method == "token"}
	text := argument(rt, v)
	if _, err := strictly(text, &p); err != nil {
		common.Throw(rt, fmt.Errorf("%s: params: %w", method, err))
	}
	if callback := v.ToObject(rt).Get("responseCallback"); callback != nil && sobek.IsNull(callback) {
		p.ResponseCallback = &statuses{{0, math.MaxInt}}
	}
	return &p
}

// statuses are ranges of HTTP statuses, the first and the last of each.
type statuses [][2]int

// successes are those that a call expects without params.
var successes = statuses{{200, 399}}

func (s statuses) contain(status int) bool {
	for _, r := range s {
		if status >= r[0] && status <= r[1] {
			return true
		}
	}
	return false
}

// UnmarshalJSON reads what expectedStatuses returns.
func (s *statuses) UnmarshalJSON(text []byte) error {
	var ranges [][2]int
	if err := json.Unmarshal(text, &ranges); err != nil {
		return errors.New("expected expectedStatuses(…) of k6/x/pix, or null; that of k6/http cannot be read by extensions")
	}
	*s = ranges
	return nil
}

// expectedStatuses are for the params of a call: statuses, and ranges {min, max}.
func (i *instance) expectedStatuses(call sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	var all statuses
	for _, v := range call.Arguments {
		var of struct{ Min, Max *int }
		text, err := json.Marshal(v.Export())
		if err == nil && json.Unmarshal(text, &of.Min) == nil {
			of.Max = of.Min
		} else if err == nil {
			err = json.Unmarshal(text, &of)
		}
		if err != nil || of.Min == nil || of.Max == nil {
			common.Throw(rt, fmt.Errorf("expectedStatuses: expected statuses such as 400 and ranges such as {min: 400, max: 409}, got %s", v))
		}
		all = append(all, [2]int{*of.Min, *of.Max})
	}
	if len(all) == 0 {
		common.Throw(rt, errors.New("expectedStatuses: expected at least one status, got none"))
	}
	return rt.ToValue(all)
}

// into applies the params to a request. Those of a call do not apply to a token that it needs.
func (p *params) into(r *gateway.Request) {
	if p == nil {
		return
	}
	r.Timeout = time.Duration(p.Timeout)
	for name, value := range p.Headers {
		r.Header = append(r.Header, name, value)
	}
}
