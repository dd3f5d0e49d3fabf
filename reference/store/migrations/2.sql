-- Payments of every kind. Until now there were only cash-outs, whose externalIds were unique in the table.
CREATE TABLE payments_of_all_kinds (
    id                   BIGINT PRIMARY KEY,
    kind                 TEXT NOT NULL,
    transaction_id       TEXT NOT NULL UNIQUE,
    account_id           BIGINT NOT NULL,
    parent_id            BIGINT NOT NULL DEFAULT 0, -- the payment that it gives back; 0: none
    external_id          TEXT NOT NULL,
    end_to_end_id        TEXT NOT NULL,
    status               TEXT NOT NULL,
    amount               BIGINT NOT NULL,
    fee                  BIGINT NOT NULL,
    description          TEXT NOT NULL,
    key_type             TEXT NOT NULL,
    pix_key              TEXT NOT NULL, -- as the client wrote it
    directory_key        TEXT NOT NULL, -- as the directory spells it
    counterpart_name     TEXT NOT NULL,
    counterpart_document TEXT NOT NULL,
    counterpart_ispb     TEXT NOT NULL,
    scenario             TEXT NOT NULL,
    error_code           TEXT NOT NULL DEFAULT '',
    error_message        TEXT NOT NULL DEFAULT '',
    created_at           BIGINT NOT NULL,
    processed_at         BIGINT NOT NULL DEFAULT 0 -- 0: pending
);

INSERT INTO payments_of_all_kinds SELECT id, 'cash-out', transaction_id, account_id, 0, external_id, end_to_end_id, status, amount, fee,
    description, key_type, pix_key, directory_key, counterpart_name, counterpart_document, counterpart_ispb, scenario,
    error_code, error_message, created_at, processed_at FROM payments;
DROP TABLE payments;
ALTER TABLE payments_of_all_kinds RENAME TO payments;
CREATE UNIQUE INDEX external_ids ON payments (account_id, external_id)
    WHERE kind IN ('cash-out', 'cash-out-qrcode', 'cash-in');
CREATE INDEX payments_by_end_to_end_id ON payments (end_to_end_id, account_id);
CREATE INDEX payments_listed ON payments (account_id, created_at, id, status, kind);
CREATE INDEX payments_by_key ON payments (account_id, directory_key, created_at, id);
CREATE INDEX payments_by_external_id ON payments (account_id, external_id);
CREATE INDEX payments_by_parent ON payments (parent_id) WHERE parent_id <> 0;

ALTER TABLE accounts ADD COLUMN pix_provider_fault TEXT NOT NULL DEFAULT 'none';
ALTER TABLE accounts ADD COLUMN minimum_expiration BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN refunds TEXT NOT NULL DEFAULT 'automatic';

CREATE TABLE transfers (
    payment_id        BIGINT PRIMARY KEY,
    account_id        BIGINT NOT NULL,
    idempotency_key   TEXT NOT NULL,
    priority          TEXT NOT NULL,
    creditor_document TEXT NOT NULL, -- '' where the client named none
    currency          TEXT NOT NULL,
    flow              TEXT NOT NULL,
    expires_at        BIGINT NOT NULL,
    UNIQUE (account_id, idempotency_key)
);

CREATE TABLE charges (
    id         BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    kind       TEXT NOT NULL,   -- cash-in, cob
    payment_id BIGINT NOT NULL, -- of a cash-in; of a cob 0 until it is paid
    txid       TEXT NOT NULL,   -- '' for a cash-in
    pix_code   TEXT NOT NULL UNIQUE,
    pix_key    TEXT NOT NULL,
    amount     BIGINT NOT NULL,
    changeable SMALLINT NOT NULL, -- 1: the payer may change the amount
    status     TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    body       TEXT NOT NULL -- JSON: what was ordered
);
CREATE UNIQUE INDEX txids ON charges (account_id, txid) WHERE kind = 'cob';
CREATE INDEX charges_of_payment ON charges (payment_id) WHERE payment_id <> 0;

CREATE TABLE splits (
    charge_id BIGINT NOT NULL,
    position  BIGINT NOT NULL, -- in the request, from 0
    pix_key   TEXT NOT NULL,
    name      TEXT NOT NULL,
    document  TEXT NOT NULL,
    amount    BIGINT NOT NULL,
    immediate SMALLINT NOT NULL,
    status    TEXT NOT NULL, -- PENDING, PAID
    PRIMARY KEY (charge_id, position)
);

CREATE TABLE refunds (
    payment_id   BIGINT PRIMARY KEY,
    parent_id    BIGINT NOT NULL, -- the payment that is refunded
    refund_id    TEXT NOT NULL,   -- the client's
    rtr_id       TEXT NOT NULL UNIQUE,
    natureza     TEXT NOT NULL,
    descricao    TEXT NOT NULL,
    status       TEXT NOT NULL,
    motivo       TEXT NOT NULL DEFAULT '',
    requested_at BIGINT NOT NULL,
    settled_at   BIGINT NOT NULL DEFAULT 0, -- 0: being processed
    UNIQUE (parent_id, refund_id)
);

CREATE TABLE meds (
    id               BIGINT PRIMARY KEY,
    account_id       BIGINT NOT NULL,
    end_to_end_id    TEXT NOT NULL,
    payment_id       BIGINT NOT NULL, -- 0: not reconciled
    status           TEXT NOT NULL,
    reason           TEXT NOT NULL,
    cause            TEXT, -- NULL: not told, here and below
    description      TEXT,
    analysis_result  TEXT,
    analysis_details TEXT,
    requesting_ispb  TEXT NOT NULL,
    history          TEXT NOT NULL, -- JSON
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL
);
CREATE INDEX meds_of_account ON meds (account_id, created_at);

-- Events, which until now were in the jobs that deliver them. Their ids continue those of all other rows.
CREATE TABLE events (
    id         BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    payment_id BIGINT NOT NULL, -- 0: it is of no payment
    message_id TEXT NOT NULL,   -- webhook-id, the same over retries and resends
    type       TEXT NOT NULL,
    body       TEXT NOT NULL,   -- JSON
    at         BIGINT NOT NULL
);
CREATE INDEX events_of_payment ON events (payment_id) WHERE payment_id <> 0;
ALTER TABLE jobs ADD COLUMN charge_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN event_id BIGINT NOT NULL DEFAULT 0;
INSERT INTO events SELECT newest.id + ROW_NUMBER() OVER (ORDER BY j.id), j.account_id, j.payment_id, j.message_id, 'cash_out', j.body, p.processed_at
    FROM (SELECT MIN(id) AS id FROM jobs WHERE kind = 'deliver' GROUP BY message_id) AS first
    JOIN jobs j ON j.id = first.id JOIN payments p ON p.id = j.payment_id,
    (SELECT MAX(id) AS id FROM (SELECT MAX(id) AS id FROM payments UNION ALL SELECT MAX(id) FROM entries
        UNION ALL SELECT MAX(id) FROM jobs UNION ALL SELECT MAX(id) FROM deliveries) AS rows) AS newest;
UPDATE jobs SET event_id = (SELECT e.id FROM events e WHERE e.message_id = jobs.message_id) WHERE kind = 'deliver';
ALTER TABLE jobs DROP COLUMN message_id;
ALTER TABLE jobs DROP COLUMN body;
DROP INDEX settlements_due;
CREATE INDEX jobs_of_payment ON jobs (payment_id) WHERE payment_id <> 0;
CREATE INDEX jobs_of_charge ON jobs (charge_id) WHERE charge_id <> 0;
CREATE INDEX tasks_due ON jobs (due_at) WHERE kind <> 'deliver' AND parked = 0;
