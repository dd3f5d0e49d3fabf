package data

import (
	"fmt"
	"strings"
)

// Maximum lengths of a merchant's name and city.
const maxMerchantName, maxMerchantCity = 25, 15

// brCode is a static BR Code with an amount in centavos (Banco Central, "Manual de Padroes para Iniciacao do Pix"):
// fields of EMV's merchant-presented QR codes, each with two digits of id, two digits of
// length and its value, followed by a checksum.
func brCode(key string, amount int64, name, city string) string {
	b := make([]byte, 0, 256)
	b = appendField(b, "00", "01")
	b = appendField(b, "26", string(appendField(appendField(nil, "00", "br.gov.bcb.pix"), "01", key)))
	b = appendField(b, "52", "0000") // merchant category: none
	b = appendField(b, "53", "986")  // BRL
	b = appendField(b, "54", FormatAmount(amount))
	b = appendField(b, "58", "BR")
	b = appendField(b, "59", cut(strings.ToUpper(name), maxMerchantName))
	b = appendField(b, "60", cut(city, maxMerchantCity))
	b = appendField(b, "62", string(appendField(nil, "05", "***"))) // no transaction id
	b = append(b, "6304"...)
	return string(fmt.Appendf(b, "%04X", checksum(b)))
}

func appendField(b []byte, id, value string) []byte {
	return fmt.Appendf(b, "%s%02d%s", id, len(value), value)
}

func cut(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.TrimSpace(s)
}

// checksum is CRC-16 with the polynomial 0x1021 and the initial value 0xFFFF.
func checksum(b []byte) uint16 {
	crc := uint16(0xffff)
	for _, c := range b {
		crc ^= uint16(c) << 8
		for range 8 {
			high := crc & 0x8000
			crc <<= 1
			if high != 0 {
				crc ^= 0x1021
			}
		}
	}
	return crc
}
