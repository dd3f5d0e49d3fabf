-- The MED list is read along an index, whatever its filters.
CREATE INDEX meds_of_status ON meds (account_id, status, created_at);
CREATE INDEX meds_reconciled ON meds (account_id, (payment_id <> 0), created_at);
CREATE INDEX meds_of_status_reconciled ON meds (account_id, status, (payment_id <> 0), created_at);
