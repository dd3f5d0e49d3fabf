// Package seedfile reads seed files: what a served gateway contains from its start.
package seedfile

import (
	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// Account is an account that a gateway is to have from its start.
type Account struct {
	store.NewAccount
	Certificate *certs.Certificate // nil for a generated one
}

// Declaration is what a gateway contains from its start.
type Declaration struct {
	Accounts  []Account
	Directory []pix.DirectoryEntry
}

// Example is used without --seed-file. The lower limit of the night does not apply to its account, so that the tests of
// a client have the same result at any hour.
func Example() Declaration {
	settings := pix.DefaultSettings()
	settings.Limits.Night = nil
	return Declaration{
		Accounts:  []Account{{NewAccount: store.NewAccount{ID: 1, Name: "example", Available: 1000_00, Settings: &settings}}},
		Directory: ExampleKeys,
	}
}

// ExampleKeys are in the directory of every served gateway; reference/README.md documents them.
var ExampleKeys = []pix.DirectoryEntry{
	{Key: "maria@pixcert.example", Name: "Maria da Silva", Document: "52998224725", ISPB: "60701190", Status: pix.AccountActive},
	{Key: "+5511987654321", Name: "João de Souza", Document: "11144477735", ISPB: "18236120", Status: pix.AccountActive},
	{Key: "39053344705", Name: "Ana Oliveira", Document: "39053344705", ISPB: "00360305", Status: pix.AccountActive},
	{Key: "45723174000110", Name: "Padaria Pão de Açúcar Ltda", Document: "45723174000110", ISPB: "60746948", Status: pix.AccountActive},
	{Key: "7f6844d0-de89-47e5-9ef7-e0a35a681615", Name: "Mercado Bom Preço SA", Document: "45723174000110", ISPB: "00000000", Status: pix.AccountActive},
	{Key: "blocked@pixcert.example", Name: "Conta Bloqueada", Document: "52998224725", ISPB: "60701190", Status: pix.AccountBlocked},
	{Key: "closed@pixcert.example", Name: "Conta Encerrada", Document: "52998224725", ISPB: "60701190", Status: pix.AccountShut},
}
