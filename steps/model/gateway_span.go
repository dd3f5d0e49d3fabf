package model

import "github.com/pixcert/pixcert/steps/money"

// Span is an amount as far as it is known.
type Span struct{ Least, Most money.Centavos }

func (s *Span) add(least, most money.Centavos) {
	s.Least += least
	if s.Most < money.Most/2 {
		s.Most += most
	}
}

func (s Span) known() bool { return s.Least == s.Most }
