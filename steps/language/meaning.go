package language

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// Meaning is what a sentence says, as a value: one of the types in this file. Whoever carries
// steps out or judges them switches on the type; nobody reads the words again.
type Meaning any

// Account names one of the accounts of a scenario.
type Account int

const (
	TheAccount Account = iota
	TheOther
)

var accounts = []string{"the account", "the other account"}

func (a Account) String() string { return accounts[a] }

// Nth counts what a scenario has made: 0 is the last ("the payment"), 1 the first that was accepted.
type Nth int

const Last Nth = 0

// ordinals are the words for the smallest, and no word for the last.
var ordinals = []string{"", "first", "second", "third"}

func (n Nth) String() string {
	switch {
	case n == Last:
		return "last"
	case int(n) < len(ordinals):
		return ordinals[n]
	}
	return fmt.Sprintf("%dth", int(n))
}

// Modality says whether what a sentence states must hold, or should.
type Modality int

const (
	Must   Modality = iota
	Should          // otherwise a warning
)

// --- what is given ---

type (
	// Open opens an account, with so much available if Funded.
	Open struct {
		Account   Account
		Fresh     bool // without a history
		Funded    bool
		Exactly   bool
		IfItCan   bool // a gateway need not be able to hold as much
		Available money.Centavos
	}
	// SetAvailable sets what the account has available.
	SetAvailable struct{ Available money.Centavos }
	// SetFee sets the fee of cash-outs, or of cash-ins.
	SetFee struct {
		CashIn bool
		Fee    money.Centavos
	}
	// NoFees holds where the profile says so, and for every account whose fees can be set.
	NoFees struct{}
	// SetLimit sets one limit of the account.
	SetLimit struct {
		Limit  Limit
		Amount money.Centavos
	}
	// LimitRequests limits the requests in a minute.
	LimitRequests struct{ PerMinute int }
	// LiftLimits lifts the limits on amounts.
	LiftLimits struct{}
	// OwnLimit is a limit that the account has: the profile's, or one that is set.
	OwnLimit struct{ Limit Limit }
	// HoldToken has the account get a token, which it can later send as its first.
	HoldToken struct{ Account Account }
	// Receive registers URLs for one type of event, or for every type.
	Receive struct {
		Account       Account
		EventTypes    []string
		SameURL       bool // as the registration before
		Count         int  // of URLs
		Header, Value string
	}
	// ReceiverAnswers sets the status that the account's URLs answer with, and how.
	ReceiverAnswers struct {
		URL       Nth // 0 for all of them
		Status    int
		Manner    Manner
		Redirects bool // to a URL that is not registered
	}
	// RemoveAccount removes the account.
	RemoveAccount struct{}
	// ListsSent applies to gateways whose list shows what was sent.
	ListsSent struct{ Operation *api.Operation }
	// OffersStandardBalance applies to gateways that offer GET /balance.
	OffersStandardBalance struct{}
	// InState makes a thing and brings it into a state.
	InState struct {
		Noun   string
		State  api.State
		Amount money.Centavos
	}
)

// Manner is how a receiver responds; empty for at once and plain.
type Manner string

// The manners of receivers.
const (
	AfterASecond Manner = "after a second"
	AfterThree   Manner = "after three seconds"
	Compressed   Manner = "compressed"
	InChunks     Manner = "in chunks"
	AsHTML       Manner = "as HTML"
	LongBody     Manner = "with a long body"
)

// Limit names a limit on amounts.
type Limit string

const (
	PerTransaction Limit = "per-transaction"
	Daily          Limit = "daily"
	Night          Limit = "night"
)

// --- certificates ---

type (
	// AddCertificate registers one more certificate of a kind with an account.
	AddCertificate struct {
		Account Account
		Kind    string // "an expired"
	}
	// RevokeCertificate revokes one that was added.
	RevokeCertificate struct{ Certificate Certificate }
	// MakeCertificate makes one that is registered nowhere.
	MakeCertificate struct{ Kind string }
	// Present sends a token request with a certificate.
	Present struct {
		Account     Account
		Certificate Certificate
	}
	// PresentAs sends a token request whose header writes the certificate in a form.
	PresentAs struct {
		Account Account
		Form    string // of certs.Forms
	}
	// ShownInHandshake applies to targets that read certificates from the TLS handshake.
	ShownInHandshake struct{}
	// PresentInHeader sends a token request with the other account's certificate in a header.
	PresentInHeader struct {
		ForOther bool   // asks for the other account's token
		ShowNone bool   // shows no certificate in the handshake
		In       string // how the header is written
	}
)

// Certificate names the certificate of a token request.
type Certificate string

const (
	NoCertificate           Certificate = "no certificate"
	ThatCertificate         Certificate = "that certificate"
	FirstAdded              Certificate = "the first added certificate"
	SecondAdded             Certificate = "the second added certificate"
	OthersCertificate       Certificate = "the other account's certificate"
	UnregisteredCertificate Certificate = "a certificate that was never registered"
)

// --- time, the bank, and what is behind the gateway ---

type (
	// SetTime moves the account's clock to a time of tomorrow, in the target's zone.
	SetTime struct{ Hour, Minute, Second int }
	// SetDate moves the account's clock to noon of a day of the next leap year, in the target's zone.
	SetDate struct {
		Month time.Month
		Day   int
	}
	// PassTime lets time pass for the account.
	PassTime struct{ By time.Duration }
	// HoldSettlement makes payments wait for the bank.
	HoldSettlement struct{}
	// Settle has the bank confirm a payment or, with an error code, reject it.
	Settle struct {
		Payment   Nth
		Each      bool // of all payments, one after another
		ErrorCode api.Code
		Tries     bool // it may be finished already
	}
	// PutKey puts a fresh key into the key directory.
	PutKey struct {
		Kind   KeyKind
		Zero   bool // a document that begins with 0
		Holder Holder
		ISPB   string // empty for any
	}
	// Fault disturbs what is behind the gateway.
	Fault struct {
		Upstream        string // authentication: none, error, unavailable
		Provider        string // none, unavailable
		LeastExpiration int    // seconds
	}
)

// KeyKind is the kind of a PIX key.
type KeyKind string

const (
	EmailKey    KeyKind = "e-mail"
	CPFKey      KeyKind = "CPF"
	CNPJKey     KeyKind = "CNPJ"
	PhoneKey    KeyKind = "phone"
	LandlineKey KeyKind = "landline"
	RandomKey   KeyKind = "random"
)

// Holder says who holds a key.
type Holder string

const (
	Payee          Holder = "" // the payee, or who the key itself names
	SameDocument   Holder = "the same document"
	OtherDocument  Holder = "another document"
	BlockedAccount Holder = "a blocked account"
	ClosedAccount  Holder = "a closed account"
)

// --- charges, refunds, returns, MED cases: what others do ---

type (
	// Pay has somebody pay a charge.
	Pay struct {
		Charge Nth
		Payer  Payer
		Amount *money.Centavos // nil for the charge's own
		Tries  bool            // it may be impossible
		Times  int             // at once; 1 for one
	}
	// HasBeenPaid makes a charge and has somebody pay it.
	HasBeenPaid struct {
		Amount    money.Centavos
		Operation *api.Operation
	}
	// EndCharge has the receiver or the PSP end a charge.
	EndCharge struct {
		Charge Nth
		ByPSP  bool
		Tries  bool
	}
	// HoldRefunds makes refunds wait for the bank.
	HoldRefunds struct{}
	// EndRefund gives a refund its result.
	EndRefund struct {
		Refund       Nth
		Fails, Tries bool
	}
	// Return has the payee give money of the last payment back.
	Return struct{ Amount money.Centavos }
	// OpenCase opens a MED case, or several.
	OpenCase struct {
		Times   int  // 0 for once
		Unknown bool // against an unknown payment
		Payment Nth  // of those received
	}
	// MoveCase moves a MED case.
	MoveCase struct {
		Case  Nth
		To    api.State // or the result of its analysis
		Tries bool
	}
)

// Payer names who pays a charge.
type Payer string

const (
	APayer       Payer = "a payer"
	AnotherPayer Payer = "another payer"
	ACompany     Payer = "a company"
)

// --- requests ---

type (
	// Send sends a valid request with changes, once or several times at once.
	Send struct {
		Account    Account
		Operation  *api.Operation // nil to send the account's last request again
		Again      bool
		Times      int  // again so often, one after another; 0 for once
		Accepted   bool // "has sent": a precondition, the request must be accepted
		IfItCan    bool // a gateway that rejects it as invalid is not judged by the scenario
		Changes    []Change
		Raw        *string       // the body, if a sentence gives its bytes
		Under      Authorization // empty for the account's own token
		Sandbox    string        // the outcome to ask the target's sandbox for
		OverLimit  bool          // a centavo over the account's own limit
		AtOnce     int           // so many beside each other; 0 for one
		Same       bool          // all of them the same request
		EveryShape bool          // one request in each shape of the operation
		Dimensions []Dimension   // one request for each pair of choices in two of them, the shape included
		Concurrent bool          // those of the dimensions at the same instant, up to MostConcurrent of them
		EachAgain  bool          // each request of the last step that sent several, under the account's own token
	}
	// SendMany sends so many orders of an amount, all of which must be accepted.
	SendMany struct {
		Operation *api.Operation
		Count     int
		Amount    money.Centavos
		OneKey    bool // cash-outs, all of them to one key
		Daily     bool // one a day
	}
	// ReturnTo makes an earlier payment the one that sentences speak of, until another is sent.
	ReturnTo struct{ Payment Nth }
	// Walk reads all pages of a list.
	Walk struct {
		Operation *api.Operation
		Size      int
		Paying    bool // sends a cash-out after each of the first pages
	}
)

// Change sets one field of a request.
type Change struct {
	Where Where
	Name  string
	Value Value
}

// Where is the part of a request that a change is in.
type Where string

const (
	Body              Where = ""
	Header            Where = "header"
	Path              Where = "path"
	Query             Where = "query"
	ClientCertificate Where = "certificate"
)

// Authorization says how a request carries a token.
type Authorization string

const (
	OwnToken              Authorization = ""
	NoToken               Authorization = "no token"
	GarbageToken          Authorization = "a garbage token"
	FirstToken            Authorization = "its first token"
	AnsweredToken         Authorization = "the returned token"
	ItsToken              Authorization = "its token"
	TokenWithoutScheme    Authorization = "its token without a scheme"
	TokenInBasic          Authorization = "its token in the Basic scheme"
	TokenOtherSignature   Authorization = "its token with a different signature"
	TokenOtherStart       Authorization = "its token with a different start of its signature"
	TokenOtherEnd         Authorization = "its token with a different end of its signature"
	TokenOthersClaims     Authorization = "its token with the other account's claims"
	TokenCutShort         Authorization = "its token without the end of its signature"
	TokenLaterExpiry      Authorization = "its token with a later expiry"
	TokenWithoutSignature Authorization = "its token without a signature"
	TokenNone             Authorization = "its token with the algorithm NONE"
	TokenOfFourParts      Authorization = "its token with a fourth part"
	TokenInQuery          Authorization = "its token in the query only"
	EmptyToken            Authorization = "an empty token"
)
