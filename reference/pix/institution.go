package pix

import "hash/fnv"

// Institution is a bank or payment institution. ISPB has 8 digits, the COMPE code 3.
type Institution struct {
	ISPB  string
	COMPE string
	Name  string
}

// Home is the institution that holds the gateway's own accounts. It is made up: its
// ISPB belongs to nobody.
var Home = Institution{"12345678", "999", "Pixcert"}

// institutions are those that a counterpart's account is found at.
var institutions = [...]Institution{
	{"00000000", "001", "Banco do Brasil"},
	{"60701190", "341", "Itaú"},
	{"60746948", "237", "Bradesco"},
	{"90400888", "033", "Santander"},
	{"00360305", "104", "Caixa"},
	{"18236120", "260", "Nubank"},
	{"00416968", "077", "Inter"},
	{"10573521", "323", "Mercado Pago"},
	{"22896431", "380", "PicPay"},
	{"31872495", "336", "C6"},
	{"08561701", "290", "PagSeguro"},
	{"30306294", "208", "BTG"},
}

// InstitutionByISPB looks an institution up. For an ISPB that is not in the table it
// gives one that is named by its ISPB and has the COMPE code 000.
func InstitutionByISPB(ispb string) Institution {
	if ispb == Home.ISPB {
		return Home
	}
	for _, known := range institutions {
		if known.ISPB == ispb {
			return known
		}
	}
	return Institution{ISPB: ispb, COMPE: "000", Name: "Instituição " + ispb}
}

// institutionOfKey gives a key that the directory does not know its institution, the
// same one each time.
func institutionOfKey(key string) Institution {
	h := fnv.New32a()
	h.Write([]byte(key))
	return institutions[h.Sum32()%uint32(len(institutions))]
}

// IsISPB says whether s has the form of an ISPB: 8 digits.
func IsISPB(s string) bool { return len(s) == 8 && allDigits(s) }
