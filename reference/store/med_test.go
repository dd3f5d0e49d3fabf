package store

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

var always = pix.Period{Before: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

func TestMEDIsKeptAndMoved(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 0)
		original := paidIn(t, s, account, pix.KindCob, 10_00)
		opened, err := s.OpenMED(t.Context(), account.ID, pix.MEDClaim{EndToEndID: original.EndToEndID, Cause: "FRAUD", Description: "never sold"})
		require.NoError(t, err)
		assert.Equal(t, original.ID, opened.Original.ID)
		require.Equal(t, []pix.MED{opened}, medsOf(t, s, account.ID, MEDFilter{Created: always}), "as it was opened")

		move := func(m pix.MEDMove) (pix.MED, error) { return s.MoveMED(t.Context(), account.ID, opened.ID, m) }
		_, err = move(pix.MEDMove{Status: pix.MEDAnalyzed, Result: pix.MEDApproved})
		requireNature(t, pix.Conflict, err)
		_, err = move(pix.MEDMove{Status: pix.MEDAnalyzed})
		requireNature(t, pix.Invalid, err)
		_, err = move(pix.MEDMove{Status: pix.MEDReceived})
		require.NoError(t, err)
		_, err = s.AdvanceClock(t.Context(), account.ID, time.Hour)
		require.NoError(t, err)
		ended, err := move(pix.MEDMove{Status: pix.MEDAnalyzed, Result: pix.MEDRejected, Details: "sold indeed"})
		require.NoError(t, err)
		assert.WithinDuration(t, opened.CreatedAt.Add(time.Hour), ended.UpdatedAt, time.Minute)
		_, err = move(pix.MEDMove{Status: pix.MEDCancelled})
		requireNature(t, pix.Conflict, err)
		require.Equal(t, []pix.MED{ended}, medsOf(t, s, account.ID, MEDFilter{Created: always}))
		requireBalance(t, s, account.ID, 10_00, 0)

		bodies := sentEvents(t, s, account.ID)
		require.Equal(t, []pix.EventType{pix.MEDCreatedEvent, pix.MEDRejectedEvent}, eventTypes(t, s, account.ID), "of the step between nobody is told")
		assert.Equal(t, "MedRejected", bodies[1]["event"])
		assert.Len(t, bodies[1]["statusHistory"], 3)

		stranger := funded(t, s, 0)
		_, err = s.MoveMED(t.Context(), stranger.ID, opened.ID, pix.MEDMove{Status: pix.MEDReceived})
		assert.ErrorIs(t, err, ErrNotFound)
		foreign, err := s.OpenMED(t.Context(), stranger.ID, pix.MEDClaim{EndToEndID: original.EndToEndID})
		require.NoError(t, err)
		assert.Nil(t, foreign.Original, "a PIX of another account does not reconcile")
	})
}

func medsOf(t testing.TB, s *Store, accountID int64, f MEDFilter) []pix.MED {
	t.Helper()
	meds, total, err := s.MEDs(t.Context(), accountID, f, 1, 100)
	require.NoError(t, err)
	require.Equal(t, len(meds), total)
	return meds
}

func TestMEDsAreFilteredAndPaged(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 0)
	original := paidIn(t, s, account, pix.KindCob, 10_00)
	var ids []int64 // the oldest first, one a day
	var first time.Time
	for i, endToEnd := range []string{original.EndToEndID, "E60701190202603021500ABCDEFGHIJK", "E60701190202603021500ABCDEFGHIJL"} {
		med, err := s.OpenMED(t.Context(), account.ID, pix.MEDClaim{EndToEndID: endToEnd})
		require.NoError(t, err)
		ids = append(ids, med.ID)
		if i == 0 {
			first = med.CreatedAt
		}
		_, err = s.AdvanceClock(t.Context(), account.ID, 24*time.Hour)
		require.NoError(t, err)
	}
	_, err := s.MoveMED(t.Context(), account.ID, ids[1], pix.MEDMove{Status: pix.MEDCancelled})
	require.NoError(t, err)

	yes, no := true, false
	day := 24 * time.Hour
	for name, test := range map[string]struct {
		filter MEDFilter
		want   []int64
	}{
		"all, the newest first": {MEDFilter{Created: always}, []int64{ids[2], ids[1], ids[0]}},
		"open":                  {MEDFilter{Status: pix.MEDOpen, Created: always}, []int64{ids[2], ids[0]}},
		"cancelled":             {MEDFilter{Status: pix.MEDCancelled, Created: always}, []int64{ids[1]}},
		"analyzed":              {MEDFilter{Status: pix.MEDAnalyzed, Created: always}, nil},
		"reconciled":            {MEDFilter{Reconciled: &yes, Created: always}, []int64{ids[0]}},
		"not reconciled":        {MEDFilter{Reconciled: &no, Created: always}, []int64{ids[2], ids[1]}},
		"from its instant":      {MEDFilter{Created: pix.Period{From: first, Before: first.Add(day)}}, []int64{ids[0]}},
		"after its instant":     {MEDFilter{Created: pix.Period{From: first.Add(1000), Before: always.Before}}, []int64{ids[2], ids[1]}},
		"before its instant":    {MEDFilter{Created: pix.Period{Before: first}}, nil},
		"two at once":           {MEDFilter{Status: pix.MEDOpen, Reconciled: &no, Created: always}, []int64{ids[2]}},
	} {
		var got []int64
		for _, med := range medsOf(t, s, account.ID, test.filter) {
			got = append(got, med.ID)
		}
		assert.Equal(t, test.want, got, name)
	}
	for page, want := range map[int][]int64{1: {ids[2], ids[1]}, 2: {ids[0]}, 3: nil} {
		meds, total, err := s.MEDs(t.Context(), account.ID, MEDFilter{Created: always}, page, 2)
		require.NoError(t, err)
		assert.Equal(t, 3, total, "page %d", page)
		var got []int64
		for _, med := range meds {
			got = append(got, med.ID)
		}
		assert.Equal(t, want, got, "page %d", page)
	}
	assert.Empty(t, medsOf(t, s, funded(t, s, 0).ID, MEDFilter{Created: always}), "of another account")
}

// Every combination of filters is read along an index of its own, in order, and counted in it.
func TestTheMEDListIsReadAlongAnIndex(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	yes := true
	for _, test := range []struct {
		filter MEDFilter
		search string
	}{
		{MEDFilter{}, "meds_of_account (account_id=? AND "},
		{MEDFilter{Status: pix.MEDOpen}, "meds_of_status (account_id=? AND status=? AND "},
		{MEDFilter{Reconciled: &yes}, "meds_reconciled (account_id=? AND <expr>=? AND "},
		{MEDFilter{Status: pix.MEDOpen, Reconciled: &yes}, "meds_of_status_reconciled (account_id=? AND status=? AND <expr>=? AND "},
	} {
		const period = "created_at>? AND created_at<?)"
		counting, page := test.filter.conditions(1), test.filter.conditions(1)
		assert.Contains(t, s.plan(t, counting.count(0), counting.args), "SEARCH meds USING COVERING INDEX "+test.search+period)
		for _, page.upward = range []bool{false, true} {
			assert.Equal(t, []string{"SEARCH meds USING INDEX " + test.search + period}, s.plan(t, page.page(20, 40), page.args))
		}
	}
}

// The pages of any size hold every case once, the newest first, from whichever end they are read.
func TestPagesHoldEveryCaseOnce(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 0)
	s.insertMEDs(t, account, paidIn(t, s, account, pix.KindCob, 10_00), 57)
	no := false
	for _, filter := range []MEDFilter{{Created: always}, {Status: pix.MEDAnalyzed, Created: always}, {Reconciled: &no, Created: always}} {
		all := medsOf(t, s, account.ID, filter)
		require.True(t, slices.IsSortedFunc(all, func(a, b pix.MED) int { return b.CreatedAt.Compare(a.CreatedAt) }))
		for _, size := range []int{1, 7, 30, 57, 60} {
			var walked []pix.MED
			for page := 1; page <= len(all)/size+2; page++ {
				meds, total, err := s.MEDs(t.Context(), account.ID, filter, page, size)
				require.NoError(t, err)
				require.Equal(t, len(all), total)
				walked = append(walked, meds...)
			}
			assert.Equal(t, all, walked, "in pages of %d", size)
		}
	}
}
