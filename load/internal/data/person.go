package data

import (
	"bytes"
	"encoding/binary"

	"github.com/google/uuid"
)

const (
	lengthCPF  = 11
	lengthCNPJ = 14
)

// holder is a name with a document: four of five are persons with a CPF, one is a company with a CNPJ.
func (d *draw) holder() (name, document string) {
	if d.below(5) == 0 {
		return d.pick(trades) + " " + d.pick(families) + " Ltda", d.cnpj()
	}
	return d.pick(givenNames) + " " + d.pick(families) + " " + d.pick(families), d.cpf()
}

// cpf is nine digits, which are never all the same, because such numbers are invalid, and two check digits.
func (d *draw) cpf() string {
	var b [lengthCPF]byte
	putDigits(b[:9], 1+d.below(999_999_998))
	if bytes.Count(b[:9], b[:1]) == 9 {
		b[8] = '0' + (b[8]-'0'+1)%10
	}
	b[9] = checkDigit(b[:9], lengthCPF-1)
	b[10] = checkDigit(b[:10], lengthCPF)
	return string(b[:])
}

// cnpj is fourteen digits: eight of the company, 0001 for its head office, two check digits.
func (d *draw) cnpj() string {
	var b [lengthCNPJ]byte
	putDigits(b[:8], 1+d.below(99_999_998))
	copy(b[8:], "0001")
	b[12] = checkDigit(b[:12], 9)
	b[13] = checkDigit(b[:13], 9)
	return string(b[:])
}

func putDigits(b []byte, n uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = '0' + byte(n%10)
		n /= 10
	}
}

// checkDigit weights digits from the right with 2, 3, ... up to most and again from 2 (modulo 11).
func checkDigit(digits []byte, most int) byte {
	sum, weight := 0, 2
	for i := len(digits) - 1; i >= 0; i-- {
		sum += int(digits[i]-'0') * weight
		if weight++; weight > most {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return '0' + byte(11-rest)
	}
	return '0'
}

// key of the holder, one of the four types.
func (d *draw) key(id ID) (keyType, key string) {
	switch d.below(4) {
	case 0:
		return "DOCUMENT", d.document
	case 1:
		return "EMAIL", d.email(id)
	case 2:
		return "PHONE", d.phone()
	}
	return "RANDOM", d.evp()
}

// phone is an area code and nine digits of a mobile phone.
func (d *draw) phone() string {
	var b [11]byte
	copy(b[:], d.pick(areas))
	b[2] = '9'
	putDigits(b[3:], d.below(100_000_000))
	return string(b[:])
}

// email is an address that is unique for the id, in a reserved domain (RFC 2606).
func (d *draw) email(id ID) string {
	return d.pick(mailboxes) + "." + id.ExternalID() + "@example.com"
}

// evp is a random key: a UUID of version 4.
func (d *draw) evp() string {
	var raw uuid.UUID
	binary.BigEndian.PutUint64(raw[:], d.Uint64()&^0xf000|0x4000)
	binary.BigEndian.PutUint64(raw[8:], d.Uint64()&^(0b11<<62)|0b10<<62)
	return raw.String()
}

// The words of generated data: ASCII only, so that no gateway fails because of their encoding.
var (
	givenNames   = []string{"Ana", "Bruno", "Carla", "Diego", "Elisa", "Felipe", "Gabriela", "Heitor", "Iara", "Joaquim", "Larissa", "Marcos", "Natalia", "Otavio", "Paula", "Rafael"}
	families     = []string{"Almeida", "Barbosa", "Cardoso", "Duarte", "Esteves", "Ferreira", "Gomes", "Lima", "Moreira", "Nogueira", "Oliveira", "Pereira", "Ribeiro", "Souza", "Teixeira", "Vieira"}
	trades       = []string{"Padaria", "Oficina", "Farmacia", "Livraria", "Mercado", "Papelaria", "Restaurante", "Transportes"}
	mailboxes    = []string{"contato", "financeiro", "pagamentos", "pix", "vendas"}
	descriptions = []string{"aluguel", "almoco", "compra", "conserto", "mensalidade", "pagamento", "servico", "viagem"}
	cities       = []string{"BELO HORIZONTE", "BRASILIA", "CURITIBA", "FORTALEZA", "MANAUS", "RECIFE", "SALVADOR", "SAO PAULO"}
	areas        = []string{"11", "21", "31", "41", "51", "61", "71", "81", "85", "91"}
	institutions = []string{"60701190", "00000000", "60746948", "90400888"}
)
