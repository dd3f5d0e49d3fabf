package mutants

import "slices"

var deepMEDMutants = []deepRow{
	{"ignores the status filter next to isReconciled", FiltersAlone, "MED-003", "med.matching",
		misreading(meds, all(asked("status", medStatus), asked("isReconciled", `^(true|false)$`)), unasked("status")),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e; meds status=ANALYZED isReconciled=true`},
	{"ignores startDate on later pages", FiltersAlone, "MED-010", "med.matching",
		misreading(meds, laterPage, unasked("startDate")),
		`2x cob 10.00 as c; pay $c.code as p; 2x med $p.e2e; clock +2d; token; 2x med $p.e2e; meds startDate=2026-03-04T15:00:00Z pageSize=1 page=2; meds startDate=2026-03-04T15:00:00Z pageSize=1 page=3`},
	{"ignores endDate next to a status", FiltersAlone, "MED-011", "med.matching",
		misreading(meds, all(asked("status", medStatus), asked("endDate", `^\d{4}-`)), unasked("endDate")),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e; clock +2d; token; med $p.e2e; meds status=OPEN endDate=2026-03-04T15:00:00Z`},
	{"counts all cases in the metadata of a filtered list", FiltersAlone, "MED-029", "med.status-filter",
		answeringBy(meds, totalOfAllCases),
		`cob 10.00 as c; pay $c.code as p; 3x med $p.e2e; meds status=RECEIVED`},
	{"shows ten cases on later pages unless a size is given", FiltersAlone, "MED-022", "med.list",
		misreading(meds, all(laterPage, asked("pageSize", `^$`)), ask("pageSize", "10")),
		`cob 10.00 as c; pay $c.code as p; 35x med $p.e2e; meds page=2`},
	{"answers the number of cases on the last page as pageSize", FiltersAlone, "MED-028", "med.pages",
		answering(meds, all(accepted, laterPage), counting("data", "metadata.pageSize")),
		`cob 10.00 as c; pay $c.code as p; 3x med $p.e2e; meds pageSize=2 page=2`},
	{"lists only approved cases as ANALYZED", ShortWay, "MED-006", "med.matching",
		relisting(meds, asked("status", `^ANALYZED$`), withoutItems("analysisResult", "REJECTED")),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id ANALYZED analysisResult=REJECTED; meds status=ANALYZED`},
	{"loses a case that is cancelled after it was received", ShortWay, "MED-005", "med.matching",
		triggering(`AFTER UPDATE OF status ON meds`, `OLD.status = 'RECEIVED' AND NEW.status = 'CANCELLED'`, `DELETE FROM meds WHERE id = NEW.id`),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id CANCELLED; meds status=CANCELLED`},
	{"sends no event of a second case", Second, "EVT-005", "med.events",
		silent(eventType + ` = 'med_created' AND (SELECT COUNT(*) FROM meds m WHERE m.account_id = NEW.account_id AND m.end_to_end_id = (SELECT json_extract(e.body, '$.endToEnd') FROM events e WHERE e.id = NEW.event_id)) > 1`),
		`hook med_created a; cob 10.00 as c; pay $c.code as p; med $p.e2e; med $p.e2e`},
	{"sends no event of a second approval", Second, "EVT-006", "med.events",
		silent(eventType + ` = 'med_accepted' AND (SELECT COUNT(*) FROM events e WHERE e.account_id = NEW.account_id AND e.type = 'med_accepted') > 1`),
		`hook med_accepted a; cob 10.00 as c; pay $c.code as p; 2x med $p.e2e as m; move $m1.id RECEIVED; move $m1.id ANALYZED analysisResult=APPROVED; move $m2.id RECEIVED; move $m2.id ANALYZED analysisResult=APPROVED`},
	{"does not link a second case to its payment", Second, "MED-055", "med.matching",
		triggering(`AFTER INSERT ON meds`,
			`EXISTS (SELECT 1 FROM meds m WHERE m.account_id = NEW.account_id AND m.end_to_end_id = NEW.end_to_end_id AND m.id <> NEW.id)`,
			`UPDATE meds SET payment_id = 0 WHERE id = NEW.id`),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e; med $p.e2e; meds`},
	{"does not link a case to a payment that is refunded", ShortWay, "MED-055", "med.case",
		triggering(`AFTER UPDATE OF status ON refunds`, whollyRefunded, `UPDATE meds SET payment_id = 0 WHERE payment_id = NEW.parent_id`),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e; refund $p.e2e 10.00; meds`},
	{"shows the original amount without its centavos", BenignData, "MED-048", "med.case",
		answering(meds, accepted, rounded("data[].originalTransaction.amount", 100)),
		`cob 10.57 as c; pay $c.code as p; med $p.e2e; meds`},
	{"lists cases without a payment to every account", OtherPeople, "MED-009", "med.matching",
		relisting(meds, asked("isReconciled", `^false$`), besides(func(c *call) []edit { return c.others(token) })),
		`B.med E0000000020260303150000000000001; meds isReconciled=false`},
	{"gives every case the original transaction of the first", FirstElement, "MED-048", "med.case",
		answeringBy(meds, func(*call, *answer) []edit { return []edit{alike("data", "originalTransaction")} }),
		`cob 10.00 as a; pay $a.code as p; cob 11.00 as b; pay $b.code as q; med $p.e2e; med $q.e2e; meds`},
	{"filters cases by isReconciled after it has cut the page", FiltersAlone, "MED-008", "med.matching",
		changing(meds, filteringPages),
		`med E0000000020260303150000000000001; cob 10.00 as c; pay $c.code as p; med $p.e2e; meds isReconciled=false pageSize=1`},
	{"takes a pageSize of more than 100 on later pages", FiltersAlone, "MED-021", "med.parameters",
		accepting(meds, all(laterPage, asked("pageSize", `^\d{3}$`)), ask("pageSize", "100")),
		`meds page=2 pageSize=101 =400`},
	{"takes an unknown status next to isReconciled", FiltersAlone, "MED-007", "med.parameters",
		accepting(meds, all(asked("isReconciled", `^(true|false)$`), askedOutside("status", "OPEN", "RECEIVED", "CANCELLED", "ANALYZED")), unasked("status")),
		`meds status=CLOSED isReconciled=true =400`},
}

// medStatus is a status of a case as a filter names it.
const medStatus = `^(OPEN|RECEIVED|CANCELLED|ANALYZED)$`

// totalOfAllCases counts all cases in the metadata of a list with a status.
func totalOfAllCases(c *call, _ *answer) []edit {
	if c.asked("status") == "" {
		return nil
	}
	all := c.read(meds.path, "pageSize="+c.asked("pageSize")).body
	if c.asked("pageSize") == "" {
		all = c.read(meds.path, "").body
	}
	total, _ := lookup(all, "metadata.total")
	pages, _ := lookup(all, "metadata.totalPages")
	return []edit{set("metadata.total", string(encode(total))), set("metadata.totalPages", string(encode(pages)))}
}

// filteringPages filters by isReconciled what is on the page already.
func filteringPages(c *call, pass server) *answer {
	right := pass(c)
	wanted := c.asked("isReconciled")
	if wanted == "" || !accepted(c, right) {
		return right
	}
	metadata, _ := lookup(right.body, "metadata")
	return pass(c.edited(unasked("isReconciled"))).edited(set("metadata", string(encode(metadata))), at("data", func(v any) any {
		items, _ := v.([]any)
		return slices.DeleteFunc(slices.Clone(items), func(item any) bool {
			o, _ := item.(map[string]any)
			return o["isReconciled"] != (wanted == "true")
		})
	}))
}
