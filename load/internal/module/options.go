package module

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/types"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/run"
)

// options of new Client({...}), as documented in index.d.ts.
type options struct {
	run.Config

	URL      string   `json:"url"`
	Accounts accounts `json:"accounts"`
	Controls struct {
		URL   string `json:"url"`
		Token string `json:"token"`
	} `json:"controls"`
	Webhooks webhooks `json:"webhooks"`
	Run      string   `json:"run"`
	Amounts  struct {
		Min data.Amount `json:"min"`
		Max data.Amount `json:"max"`
	} `json:"amounts"`
	Fees struct { // of payments whose webhook contains none
		Transfer data.Amount `json:"transfer"`
		CashIn   data.Amount `json:"cashIn"`
		Cob      data.Amount `json:"cob"`
		Refund   data.Amount `json:"refund"`
	} `json:"fees"`
	Headers map[string]string `json:"headers"`
}

// parseOptions reads the JSON of the argument. Errors name the field.
func parseOptions(text []byte) (options, error) {
	o := options{
		Config:   run.Config{Instances: 1, Balance: 1_000_000_000_00, Late: 10 * time.Second, Drain: 60 * time.Second, Timeout: 60 * time.Second},
		Accounts: accounts{made: 1}, Webhooks: webhooks{&run.Webhooks{Listen: "127.0.0.1:0", Types: slices.Clone(run.Types)}},
	}
	o.Amounts.Min, o.Amounts.Max = 1, 100_00
	if _, err := strictly(text, &o); err != nil {
		return options{}, err
	}
	if o.Amounts.Min < 1 || o.Amounts.Max < o.Amounts.Min {
		return options{}, fmt.Errorf(`amounts: expected a min of at least "0.01" and a max of at least min, got %q and %q`,
			data.FormatAmount(int64(o.Amounts.Min)), data.FormatAmount(int64(o.Amounts.Max)))
	}
	return o, nil
}

// strictly decodes JSON into a struct field by field. Its errors name the wrong field, which
// those of encoding/json do not if a type has its own UnmarshalJSON. It returns the fields that the JSON has.
func strictly(text []byte, into any) (given map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, fmt.Errorf("expected an object, got %s", kindOf(text))
	}
	fields := map[string]reflect.Value{}
	v := reflect.ValueOf(into).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		if name := field.Tag.Get("json"); name != "" && name != "-" {
			fields[name] = v.FieldByIndex(field.Index)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		field, ok := fields[name]
		if !ok {
			return nil, fmt.Errorf("%s: unknown option, expected one of %s", name, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		if err := decodeField(given[name], field); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return given, nil
}

func decodeField(text []byte, field reflect.Value) error {
	into := field.Addr().Interface()
	if d, ok := into.(*time.Duration); ok {
		into = (*duration)(d)
	}
	_, itself := into.(json.Unmarshaler)
	if !itself && field.Kind() == reflect.Struct {
		_, err := strictly(text, into)
		return err
	}
	err := json.Unmarshal(text, into)
	if mistyped := (*json.UnmarshalTypeError)(nil); !itself && errors.As(err, &mistyped) {
		return fmt.Errorf("expected %s, got %s", cmp.Or(expected[field.Kind()], "a number"), mistyped.Value)
	}
	return err
}

// expected are the kinds of values in the words of a script's author.
var expected = map[reflect.Kind]string{
	reflect.Bool: "a boolean", reflect.String: "a string in quotes",
	reflect.Slice: `a list of strings, such as ["a", "b"]`, reflect.Map: "an object of strings",
}

// kindOf describes a JSON value without showing it, because it may be secret.
func kindOf(text []byte) string { return cmp.Or(kinds[text[0]], "the number "+string(text)) }

// kinds of JSON values by their first characters.
var kinds = map[byte]string{'{': "an object", '[': "a list", '"': "a string", 't': "a boolean", 'f': "a boolean", 'n': "null"}

// config is the configuration of the run, as if this process were its only instance.
func (o options) config() (run.Config, error) {
	c := o.Config
	c.Accounts, c.Fixed, c.Webhooks = o.Accounts.made, o.Accounts.fixed, o.Webhooks.Webhooks
	c.Least, c.Most = int64(o.Amounts.Min), int64(o.Amounts.Max)
	c.Fees = ledger.ByKind[int64]{
		ledger.Transfer: int64(o.Fees.Transfer), ledger.CashIn: int64(o.Fees.CashIn),
		ledger.Cob: int64(o.Fees.Cob), ledger.Refund: int64(o.Fees.Refund),
	}
	var err error
	if c.URL, err = gateway.ParseURL(o.URL); err != nil {
		return run.Config{}, fmt.Errorf("url: %w", err)
	}
	c.ID = data.NewRun()
	if c.Name = strings.TrimSpace(o.Run); c.Name != "" {
		c.ID = run.RunID(c.Name)
	}
	if o.Controls.URL != "" {
		at, err := gateway.ParseURL(o.Controls.URL)
		if err != nil {
			return run.Config{}, fmt.Errorf("controls.url: %w", err)
		}
		c.Controls = &run.Controls{URL: at, Token: o.Controls.Token}
	}
	return c, c.Check()
}

// position is the number of this instance, and of all instances, from its execution segment; nil: the whole test.
func position(own *lib.ExecutionSegment, segments *lib.ExecutionSegmentSequence) (instance, instances int, err error) {
	if own == nil {
		return 0, 1, nil
	}
	if segments == nil && own.FloatLength() != 1 {
		return 0, 0, fmt.Errorf("expected --execution-segment-sequence with --execution-segment %s, got none: it is needed to number the instances of a run", own)
	}
	tuple, err := lib.NewExecutionTuple(own, segments)
	if err != nil {
		return 0, 0, fmt.Errorf("expected an execution segment that is part of the sequence: %w", err)
	}
	return tuple.SegmentIndex, len(tuple.Sequence.ExecutionSegmentSequence), nil
}

// accounts is a number of accounts to create, or the accounts to use.
type accounts struct {
	made  int
	fixed []gateway.Credentials
}

func (a *accounts) UnmarshalJSON(text []byte) error {
	a.made, a.fixed = 0, nil
	switch {
	case text[0] == '[':
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&a.fixed); err != nil {
			return fmt.Errorf("expected credentials of the form {clientId, clientSecret, certificate}: %w", err)
		}
		return gateway.CheckCredentials(a.fixed)
	case text[0] == '"':
		return errors.New("expected a number of accounts to create, or a list of credentials, got a string: read a file with JSON.parse(open(PATH)), so that it is part of an archive")
	case json.Unmarshal(text, &a.made) != nil || a.made < 1:
		return fmt.Errorf("expected a number of accounts to create, at least 1, or a list of credentials, got %s", kindOf(text))
	}
	return nil
}

// webhooks configures the webhook listener, or is false.
type webhooks struct{ *run.Webhooks }

func (w *webhooks) UnmarshalJSON(text []byte) (err error) {
	switch string(text) {
	case "false":
		w.Webhooks = nil
	case "true":
	default:
		_, err = strictly(text, w.Webhooks)
	}
	return err
}

// duration is a string such as "10s" or a number of milliseconds, as everywhere in k6.
type duration time.Duration

func (d *duration) UnmarshalJSON(text []byte) error {
	var k6 types.Duration
	if err := json.Unmarshal(text, &k6); err != nil {
		return fmt.Errorf(`expected a duration such as "10s", got %s`, text)
	}
	if k6 < 0 {
		return fmt.Errorf("expected a duration of 0 or more, got %s", text)
	}
	*d = duration(k6)
	return nil
}

// params are the last argument of a call, as in k6/http.
type params struct {
	Tags             map[string]any    `json:"tags"`
	Timeout          time.Duration     `json:"timeout"`
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
	if err := json.Unmarshal(text, (*[][2]int)(s)); err != nil {
		return errors.New("expected expectedStatuses(…) of k6/x/pix, or null; that of k6/http cannot be read by extensions")
	}
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
	r.Timeout = p.Timeout
	for name, value := range p.Headers {
		r.Header = append(r.Header, name, value)
	}
}
