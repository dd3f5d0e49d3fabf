package certificate

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/pixcert/pixcert/steps/untrusted"
)

// mostCertificate bounds a certificate, in bytes. One with the evidence of thousands of failures has a tenth of that.
const mostCertificate = 8 << 20

// certificateLimits are far above those of a real certificate.
var certificateLimits = untrusted.Limits{Depth: 12, String: mostCertificate, Objects: 100_000, Values: 400_000}

// seal signs a statement.
func seal(s statement, key ed25519.PrivateKey) ([]byte, error) {
	payload, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return sealPayload(payload, payloadType, key)
}

func sealPayload(payload []byte, kind string, key ed25519.PrivateKey) ([]byte, error) {
	by, err := dsse.NewEnvelopeSigner(signer{key})
	if err != nil {
		return nil, err
	}
	envelope, err := by.SignPayload(context.Background(), kind, payload)
	if err != nil {
		return nil, err
	}
	content, err := json.MarshalIndent(envelope, "", "  ")
	return append(content, '\n'), err
}

// Open verifies the signature of a certificate by one of these keys, and its form: exactly that which pixcert writes, so
// that two programs cannot read it differently.
func Open(content []byte, keys []ed25519.PublicKey) (*Certificate, error) {
	if len(keys) == 0 {
		return nil, errors.New("expected the public key of whoever signed it: a certificate is worth as much as the key that you trust")
	}
	payload, key, err := openEnvelope(content, keys)
	if err != nil {
		return nil, err
	}
	var s statement
	if err := decode(payload, &s); err != nil {
		return nil, fmt.Errorf("the signed statement: %w", err)
	}
	if err := s.valid(); err != nil {
		return nil, err
	}
	p := s.Predicate
	return &Certificate{Claims: p.Claims, URL: p.URL, Passed: p.PassedTests, Warned: p.WarnedTests, Failed: p.FailedTests, Key: key}, nil
}

func openEnvelope(content []byte, keys []ed25519.PublicKey) (payload []byte, by ed25519.PublicKey, err error) {
	if len(content) > mostCertificate {
		return nil, nil, &untrusted.LimitError{Most: mostCertificate, Of: "bytes of the certificate"}
	}
	var envelope dsse.Envelope
	if err := decode(content, &envelope); err != nil {
		return nil, nil, fmt.Errorf("the envelope: %w", err)
	}
	if envelope.PayloadType != payloadType {
		return nil, nil, fmt.Errorf("the envelope: expected the payload type %s, got %q", payloadType, shorten(envelope.PayloadType))
	}
	if n := len(envelope.Signatures); n != 1 {
		return nil, nil, fmt.Errorf("the envelope: expected one signature, got %d", n)
	}
	signature := envelope.Signatures[0]
	for name, text := range map[string]string{"payload": envelope.Payload, "signature": signature.Sig} {
		if decoded, err := base64.StdEncoding.DecodeString(text); err != nil || base64.StdEncoding.EncodeToString(decoded) != text {
			return nil, nil, fmt.Errorf("the envelope: expected the %s in standard base64, on one line", name)
		}
	}
	i := slices.IndexFunc(keys, func(k ed25519.PublicKey) bool { return Fingerprint(k) == signature.KeyID })
	if i < 0 {
		return nil, nil, fmt.Errorf("signed with another key: it names %q, expected %s", shorten(signature.KeyID), fingerprints(keys))
	}
	of, err := dsse.NewEnvelopeVerifier(verifier{keys[i]})
	if err != nil {
		return nil, nil, err
	}
	if _, payload, err = of.VerifyAndDecode(context.Background(), &envelope); err != nil {
		return nil, nil, fmt.Errorf("the signature is wrong: the certificate was changed, or signed with another key than %s", Fingerprint(keys[i]))
	}
	return payload, keys[i], nil
}

// SignedBy is the fingerprint that a certificate names as its signer's. It is a hint and proves nothing.
func SignedBy(content []byte) string {
	var envelope dsse.Envelope
	if len(content) > mostCertificate || decode(content, &envelope) != nil || len(envelope.Signatures) != 1 {
		return ""
	}
	return shorten(envelope.Signatures[0].KeyID)
}

// decode reads JSON that must be exactly what encoding writes, except for white space.
func decode(content []byte, into any) error {
	if err := checkForm(content); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("expected the JSON of a certificate: %w", err)
	}
	written, err := json.Marshal(into)
	if err != nil {
		return err
	}
	var read bytes.Buffer
	if err := json.Compact(&read, content); err != nil {
		return err
	}
	if !bytes.Equal(read.Bytes(), written) {
		return errors.New("its JSON is not in the form that pixcert writes: a member is missing, added, or spelled differently")
	}
	return nil
}

// valid checks what is the same in every certificate.
func (s *statement) valid() error {
	p := s.Predicate
	switch {
	case s.Type != statementType:
		return fmt.Errorf("expected a statement of type %s, got %q", statementType, shorten(s.Type))
	case s.PredicateType != predicateType:
		return fmt.Errorf("expected a predicate of type %s, got %q", predicateType, shorten(s.PredicateType))
	case len(s.Subject) == 0:
		return errors.New("expected a target and evidence as subjects, got none")
	}
	if err := p.Claims.valid(); err != nil {
		return err
	}
	derived := statementOf(p.Claims, rules{passed: p.PassedTests, warned: p.WarnedTests, failed: p.FailedTests}, p.URL)
	switch {
	case !equal(derived.Subject, s.Subject):
		return errors.New("the subjects are not the target and the files of the evidence")
	case !equal(derived.Predicate.Configuration, p.Configuration):
		return errors.New("the configuration is not the edition, the profile and the baseline")
	case derived.Predicate.Result != p.Result:
		return fmt.Errorf("the result %q contradicts the outcome %q", shorten(p.Result), shorten(string(p.Claims.Outcome)))
	}
	return nil
}

func equal(a, b any) bool {
	one, err := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return err == nil && errOther == nil && bytes.Equal(one, other)
}
