-- Fewer and smaller indexes.
DROP INDEX external_ids;
DROP INDEX payments_by_external_id;
CREATE UNIQUE INDEX external_id_spaces ON payments
    (account_id, external_id, (CASE WHEN kind IN ('cash-out', 'cash-out-qrcode', 'cash-in') THEN 0 ELSE id END));
DROP INDEX jobs_of_account;
DROP INDEX jobs_of_payment;
DROP INDEX tasks_due;
DROP INDEX deliveries_due;
CREATE INDEX jobs_of_payment ON jobs (payment_id) WHERE payment_id <> 0 AND kind <> 'deliver';
CREATE INDEX tasks_due ON jobs (due_at, account_id) WHERE kind <> 'deliver' AND parked = 0;
CREATE INDEX deliveries_due ON jobs (webhook_id, due_at) WHERE kind = 'deliver' AND leased_until = 0;
