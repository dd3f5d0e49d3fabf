package pix

import (
	"math/bits"
	"strings"
	"time"
)

// Split is a part of a cash-in that goes to somebody else once the charge is paid. What
// no split takes remains with the account (Cash-in, rule 2).
type Split struct {
	Key       string
	KeyType   SplitKeyType
	Name      string // of the recipient
	Document  string // CPF or CNPJ of the recipient, digits only
	Type      SplitType
	Value     Centavos // FIXED: the part; PERCENTAGE: hundredths of a percent, 10.25 % is 1025
	Immediate bool     // executed right after the payment, else with the next daily run
}

// SplitType says what the value of a split is.
type SplitType string

// The types of split.
const (
	SplitFixed      SplitType = "FIXED"      // BRL
	SplitPercentage SplitType = "PERCENTAGE" // of the amount before fees
)

// wholeAmount is 100 % in hundredths of a percent.
const wholeAmount = 100_00

// Share is what the split takes of an amount. A share of a centavo is not paid, so a
// percentage is rounded down and the account keeps the rest. The split must be one
// that fits (SplitsFit).
func (s Split) Share(of Centavos) Centavos {
	if s.Type == SplitFixed {
		return s.Value
	}
	high, low := bits.Mul64(uint64(of), uint64(s.Value))
	share, _ := bits.Div64(high, low, wholeAmount)
	return Centavos(share)
}

// SplitsFit says whether the splits of a charge are worth at most its amount, which is
// judged before any of them is rounded down.
func SplitsFit(amount Centavos, splits []Split) bool {
	var fixed, percentage Centavos
	for _, s := range splits {
		if s.Type == SplitFixed {
			fixed += s.Value
		} else {
			percentage += s.Value
		}
		if fixed > amount || percentage > wholeAmount { // before a sum can overflow
			return false
		}
	}
	// fixed + amount × percentage ≤ amount, with both sides times wholeAmount
	takenHigh, takenLow := bits.Mul64(uint64(fixed), wholeAmount)
	leftHigh, leftLow := bits.Mul64(uint64(amount), uint64(wholeAmount-percentage))
	return takenHigh < leftHigh || takenHigh == leftHigh && takenLow <= leftLow
}

// SplitStatus is the state of a part: PENDING until it is executed.
type SplitStatus string

// The states of a part.
const (
	SplitPending SplitStatus = "PENDING"
	SplitPaid    SplitStatus = "PAID"
)

// NextSplitRun is when the splits of a charge paid at that time are executed that are
// not immediate: at the start of the next day in São Paulo (the frequency DAILY).
func NextSplitRun(paidAt time.Time) time.Time {
	local := paidAt.In(saoPaulo)
	return startOfDay(local.Year(), local.Month(), local.Day()+1).UTC()
}

// SplitKeyType says what the PIX key of a recipient is; the names differ from those of
// a cash-out's keyType.
type SplitKeyType string

// splitKeyTypes is the table of the values of splits[].pixKeyType.
var splitKeyTypes = map[SplitKeyType]struct {
	description string
	matches     func(key string) bool
}{
	"EMAIL":  {keyFormats[KeyEmail].description, isEmail},
	"PHONE":  {"area code and number, 10 or 11 digits, with or without +55", isPhoneAnyway},
	"CPF":    {"a CPF of 11 digits", func(key string) bool { return len(key) == cpfDigits && IsDocument(key) }},
	"CNPJ":   {"a CNPJ of 14 digits", func(key string) bool { return len(key) == cnpjDigits && IsDocument(key) }},
	"RANDOM": {keyFormats[KeyRandom].description, isUUID},
}

// Matches says whether key is one of that type.
func (t SplitKeyType) Matches(key string) bool {
	format, ok := splitKeyTypes[t]
	return ok && format.matches(key)
}

// Format describes in words what a key of the type looks like.
func (t SplitKeyType) Format() string { return splitKeyTypes[t].description }

func isPhoneAnyway(key string) bool { return isPhone(strings.TrimPrefix(key, countryCode)) }
