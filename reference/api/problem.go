package api

import (
	"errors"
	"net/http"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// tokenCode is a code of the token endpoint ("Token endpoint codes"), with its status and its words.
type tokenCode struct {
	code                 string
	status               int
	message, userMessage string
}

var (
	codeCertHeaderMissing   = tokenCode{"PUB_CERT_HEADER_MISSING", 400, "the header X-SSL-Client-Cert is missing", "Certificado do cliente não informado."}
	codeCertMalformed       = tokenCode{"PUB_CERT_MALFORMED_PEM", 400, "X-SSL-Client-Cert does not hold a PEM certificate that can be parsed", "Certificado do cliente ilegível."}
	codeTokenBodyInvalid    = tokenCode{"PUB_REQUEST_BODY_INVALID", 400, "the body of the token request is invalid", "Os dados informados são inválidos."}
	codeCertNotYetValid     = tokenCode{"PUB_CERT_NOT_YET_VALID", 401, "the certificate is not valid yet", "O certificado ainda não é válido."}
	codeCertExpired         = tokenCode{"PUB_CERT_EXPIRED", 401, "the certificate has expired", "O certificado expirou."}
	codeCertNotRegistered   = tokenCode{"PUB_CERT_NOT_REGISTERED", 401, "the certificate is not registered", "Certificado não registrado."}
	codeInvalidCredentials  = tokenCode{"PUB_INVALID_CREDENTIALS", 401, "clientId or clientSecret is wrong", "Credenciais inválidas."}
	codeCertOfOther         = tokenCode{"PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT", 403, "the certificate is not linked to the account of the clientId", "Certificado não autorizado para esta conta."}
	codeUpstreamError       = tokenCode{"PUB_AUTH_UPSTREAM_ERROR", 502, "the authentication service gave an answer that is not understood", "Não foi possível autenticar. Tente novamente mais tarde."}
	codeUpstreamUnavailable = tokenCode{"PUB_AUTH_UPSTREAM_UNAVAILABLE", 503, "the authentication service cannot be reached; retry with exponential backoff", "Serviço de autenticação indisponível. Tente novamente mais tarde."}
)

// userMessages are the words for the end user where a status has no code of its own.
var userMessages = map[int]string{
	http.StatusBadRequest:            "Os dados informados são inválidos.",
	http.StatusUnauthorized:          "Sessão inválida ou expirada. Autentique-se novamente.",
	http.StatusNotFound:              "Recurso não encontrado.",
	http.StatusMethodNotAllowed:      "Operação não permitida.",
	http.StatusRequestEntityTooLarge: "A requisição é grande demais.",
	http.StatusUnsupportedMediaType:  "O formato da requisição não é suportado.",
	http.StatusTooManyRequests:       "Muitas requisições. Tente novamente mais tarde.",
	http.StatusInternalServerError:   "Ocorreu um erro inesperado. Tente novamente mais tarde.",
	http.StatusServiceUnavailable:    "Serviço sobrecarregado. Tente novamente mais tarde.",
	http.StatusBadGateway:            "O destino da notificação não respondeu.",
}

// statuses gives the nature of a refusal its status.
var statuses = map[pix.Nature]int{
	pix.Invalid:       http.StatusBadRequest,
	pix.NotFound:      http.StatusNotFound,
	pix.Conflict:      http.StatusConflict,
	pix.Unprocessable: http.StatusUnprocessableEntity,
	pix.Upstream:      http.StatusInternalServerError, // "500 (failure to reach the PIX provider)"
}

// problem is a refused request before it has an envelope. Its messages are a list on
// the wire where they tell of invalid fields, one entry each.
type problem struct {
	status      int
	code        string
	messages    []string
	list        bool
	userMessage string
	details     map[string]any
	business    bool // errorCode repeats code
}

func (p *problem) Error() string { return p.code + ": " + p.messages[0] }

func (p *problem) message() any {
	if p.list {
		return p.messages
	}
	return p.messages[0]
}

// problemOf finds what a client is told of an error. What nobody foresaw is a 500 that
// tells nothing; the log has the reason.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if refusal, ok := errors.AsType[*pix.Refusal](err); ok {
		return &problem{
			status:      statuses[refusal.Nature],
			code:        refusal.Code,
			messages:    []string{refusal.Message},
			list:        !refusal.Business() && refusal.Nature == pix.Invalid,
			userMessage: refusal.UserMessage,
			details:     refusal.Details,
			business:    refusal.Business(),
		}
	}
	if errors.Is(err, store.ErrBusy) {
		return failure(http.StatusServiceUnavailable, "too many lists are being read; retry with exponential backoff")
	}
	return failure(http.StatusInternalServerError, "an unexpected error; quote the errorId to support")
}

// failure is a problem that has no code of its own.
func failure(status int, message string) *problem {
	return &problem{
		status:      status,
		code:        pix.CodeValidation,
		messages:    []string{message},
		userMessage: userMessages[status],
	}
}

// invalid is a request whose fields are wrong: one message for each of them.
func invalid(violations []contract.Violation) *problem {
	p := failure(http.StatusBadRequest, "")
	p.list = true
	p.messages = make([]string, len(violations))
	for i, v := range violations {
		p.messages[i] = v.Message
	}
	return p
}

// tokenProblem is a refusal of the token endpoint; an empty hint is left out.
func tokenProblem(c tokenCode, hint string) *problem {
	p := &problem{status: c.status, code: c.code, messages: []string{c.message}, userMessage: c.userMessage}
	if hint != "" {
		p.details = map[string]any{"hint": hint}
	}
	return p
}
