package steps

import (
	"context"

	"github.com/pixcert/pixcert/steps/target"
)

func (s *scenario) medOpened(ctx context.Context, against string) error {
	id := s.freshEndToEndID()
	if against == "the payment" {
		id = s.endToEndID()
	}
	var err error
	s.opening, err = s.controls().OpenMED(ctx, s.account.id, id)
	s.contested = id
	return err
}

// medMoves are the moves of a case as sentences call them.
var medMoves = map[string]target.MEDMove{
	"OPEN":      {Status: "OPEN"},
	"RECEIVED":  {Status: "RECEIVED"},
	"CANCELLED": {Status: "CANCELLED"},
	"APPROVED":  {Status: "ANALYZED", AnalysisResult: "APPROVED", AnalysisDetails: "Approved by a test"},
	"REJECTED":  {Status: "ANALYZED", AnalysisResult: "REJECTED", AnalysisDetails: "Rejected by a test"},
}

func (s *scenario) medBecomes(ctx context.Context, next string) error {
	return s.controls().MoveMED(ctx, s.account.id, s.opening, medMoves[next])
}

func (s *scenario) medTried(ctx context.Context, next string) error {
	err := s.medBecomes(ctx, next)
	if refused(err) {
		return nil
	}
	return err
}
