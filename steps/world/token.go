package world

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

// authorizations are the ways in which a request can carry a token that the target issued to
// the account.
var authorizations = map[language.Authorization]func(token string) (string, error){
	language.OwnToken:              func(t string) (string, error) { return "Bearer " + t, nil },
	language.ItsToken:              func(t string) (string, error) { return "Bearer " + t, nil },
	language.TokenWithoutScheme:    func(t string) (string, error) { return t, nil },
	language.TokenInBasic:          func(t string) (string, error) { return "Basic " + t, nil },
	language.TokenOtherSignature:   forged(otherSignature(func(n int) int { return n / 2 })),
	language.TokenOtherStart:       forged(otherSignature(func(int) int { return 0 })),
	language.TokenOtherEnd:         forged(otherSignature(func(n int) int { return n - 2 })), // the last may hold unused bits
	language.TokenCutShort:         forged(cutShort),
	language.TokenLaterExpiry:      forged(laterExpiry),
	language.TokenWithoutSignature: forged(unsigned("none")),
	language.TokenNone:             forged(unsigned("NONE")), // a check that compares with "none" only lets it pass
	language.TokenOfFourParts:      forged(func(header, claims, signature string) string { return header + "." + claims + "." + signature + ".x" }),
}

// authorization is the Authorization header of a request; empty for none.
func (r *request) authorization(ctx context.Context) (string, error) {
	w := r.actor.w
	switch r.under {
	case language.NoToken, language.TokenInQuery:
		return "", nil
	case language.EmptyToken:
		return "Bearer ", nil
	case language.GarbageToken:
		return "Bearer x.y.z", nil
	case language.FirstToken:
		return "Bearer " + r.actor.firstToken, nil
	case language.AnsweredToken:
		for _, t := range slices.Backward(w.Judge.Attempts) {
			if token := jsonvalue.Text(t.Answer, "access_token"); token != "" && t.Op.ID == api.Token {
				return "Bearer " + token, nil
			}
		}
		return "", record.Cannot("no token request in this scenario returned a token")
	}
	token, err := r.actor.token(ctx)
	if err != nil {
		return "", err
	}
	if r.under == language.TokenOthersClaims {
		return w.withOthersClaims(ctx, token)
	}
	authorization, err := authorizations[r.under](token)
	w.Secrets.Add(authorization[strings.Index(authorization, " ")+1:]) // nearly a token that is good
	return authorization, err
}

// --- forged tokens ---

// forged makes a form of a token that the target did not issue. It needs a token that is a JWT.
func forged(forge func(header, claims, signature string) string) func(string) (string, error) {
	return func(token string) (string, error) {
		if !judge.IsJWT(token) {
			return "", record.Cannot("the target's token is not a JWT, so it cannot be forged")
		}
		parts := strings.Split(token, ".")
		return "Bearer " + forge(parts[0], parts[1], parts[2]), nil
	}
}

// otherSignature changes a character of the signature. If there is no signature it makes one up.
func otherSignature(at func(length int) int) func(header, claims, signature string) string {
	return func(header, claims, signature string) string {
		if len(signature) < 2 {
			signature = "c2lnbmF0dXJl"
		}
		i := at(len(signature))
		other := byte('A')
		if signature[i] == other {
			other = 'Z' // differs from A in the high bits too
		}
		return header + "." + claims + "." + signature[:i] + string(other) + signature[i+1:]
	}
}

// cutShort leaves out the second half of the signature.
func cutShort(header, claims, signature string) string {
	return header + "." + claims + "." + signature[:len(signature)/2]
}

// withOthersClaims is the account's token, but it says of itself what the other account's says.
func (w *World) withOthersClaims(ctx context.Context, token string) (string, error) {
	other, err := w.actor(language.TheOther)
	if err != nil {
		return "", err
	}
	theirs, err := other.token(ctx)
	if err != nil {
		return "", err
	}
	if !judge.IsJWT(theirs) {
		return "", record.Cannot("the target's token is not a JWT, so it cannot be forged")
	}
	authorization, err := forged(func(header, _, signature string) string {
		return header + "." + strings.Split(theirs, ".")[1] + "." + signature
	})(token)
	w.Secrets.Add(strings.TrimPrefix(authorization, "Bearer "))
	return authorization, err
}

// laterExpiry claims another day and keeps the signature.
func laterExpiry(header, claims, signature string) string {
	return header + "." + rewritten(claims, func(c map[string]any) {
		c["exp"] = time.Now().Add(24 * time.Hour).Unix()
	}) + "." + signature
}

// unsigned claims that there is no signature, by the name of an algorithm.
func unsigned(algorithm string) func(header, claims, signature string) string {
	return func(header, claims, _ string) string {
		return rewritten(header, func(h map[string]any) { h["alg"] = algorithm }) + "." + claims + "."
	}
}

func rewritten(part string, change func(map[string]any)) string {
	members := map[string]any{}
	if b, err := base64.RawURLEncoding.DecodeString(part); err == nil {
		_ = json.Unmarshal(b, &members) // anything but an object is replaced by one
	}
	if members == nil { // JSON null
		members = map[string]any{}
	}
	change(members)
	return base64.RawURLEncoding.EncodeToString(encoded(members))
}
