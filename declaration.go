package main

import "github.com/pixcert/pixcert/reference/seedfile"

// declaration is what a gateway contains from its start.
type declaration = seedfile.Declaration

// exampleKeys are in the directory of every served gateway.
var exampleKeys = seedfile.ExampleKeys

// exampleDeclaration is used without --seed-file.
func exampleDeclaration() seedfile.Declaration { return seedfile.Example() }

// readSeedFile reads what a gateway is to contain from its start.
func readSeedFile(file string) (seedfile.Declaration, error) { return seedfile.Read(file) }
