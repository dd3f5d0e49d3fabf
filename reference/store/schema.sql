-- The gateway's state. Whoever changes it raises schemaVersion.
--
-- Ids are made by the gateway; an INTEGER key is SQLite's own row id, where a BIGINT one would cost a second
-- index. Money is in centavos. Times are microseconds since 1970 in UTC: columns of jobs and deliveries hold
-- real time, all others the account's own. Flags are 0 or 1. A partial index serves only queries that repeat
-- its condition.

CREATE TABLE accounts (
    id                  INTEGER PRIMARY KEY,
    client_id           TEXT NOT NULL UNIQUE,
    secret_hash         TEXT NOT NULL, -- SHA-256 in hex
    name                TEXT NOT NULL,
    document            TEXT NOT NULL,
    ispb                TEXT NOT NULL,
    pix_key             TEXT NOT NULL,
    available           BIGINT NOT NULL DEFAULT 0, -- always the sum of the account's entries
    blocked             BIGINT NOT NULL DEFAULT 0, -- likewise
    fee_cash_out        BIGINT NOT NULL DEFAULT 0,
    fee_cash_in         BIGINT NOT NULL DEFAULT 0,
    limit_transaction   BIGINT,                    -- NULL: lifted
    limit_daily         BIGINT,
    limit_night         BIGINT,
    requests_per_minute BIGINT,
    auth_fault          TEXT NOT NULL,
    pix_provider_fault  TEXT NOT NULL,
    minimum_expiration  BIGINT NOT NULL DEFAULT 0, -- seconds; 0: none
    settlement          TEXT NOT NULL,
    refunds             TEXT NOT NULL,
    clock_offset        BIGINT NOT NULL DEFAULT 0, -- microseconds ahead of real time
    removed             SMALLINT NOT NULL DEFAULT 0,
    CHECK (available >= 0 AND blocked >= 0)
);

CREATE TABLE certificates (
    fingerprint TEXT NOT NULL, -- SHA-256 in lower-case hex
    account_id  BIGINT NOT NULL,
    revoked     SMALLINT NOT NULL DEFAULT 0,
    PRIMARY KEY (fingerprint, account_id)
);

-- Every transaction that the lists show, of every kind.
CREATE TABLE payments (
    id                   INTEGER PRIMARY KEY,
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

-- The externalIds of the three public kinds are one space; each other payment has a space of its own.
CREATE UNIQUE INDEX external_id_spaces ON payments
    (account_id, external_id, (CASE WHEN kind IN ('cash-out', 'cash-out-qrcode', 'cash-in') THEN 0 ELSE id END));
CREATE INDEX payments_by_end_to_end_id ON payments (end_to_end_id, account_id);
-- The lists, of the account and by key: each reads some kinds and statuses, every one of them in its order.
CREATE INDEX payments_of_account ON payments (account_id, kind, status, created_at);
CREATE INDEX payments_of_key ON payments (account_id, directory_key, kind, status, created_at);
CREATE INDEX payments_by_parent ON payments (parent_id) WHERE parent_id <> 0;

-- How many payments an account has, by type and status and by the interval in which they were created. Interval n
-- of level 0 starts n * 2^20 microseconds after 1970; one of a higher level covers 2^7 intervals of the level below.
CREATE TABLE payment_counts (
    account_id           BIGINT NOT NULL,
    level                SMALLINT NOT NULL, -- 0 to 2
    interval             BIGINT NOT NULL,
    payment_pending      BIGINT NOT NULL,
    payment_confirmed    BIGINT NOT NULL,
    payment_error        BIGINT NOT NULL,
    withdraw_pending     BIGINT NOT NULL,
    withdraw_confirmed   BIGINT NOT NULL,
    withdraw_error       BIGINT NOT NULL,
    refund_in_pending    BIGINT NOT NULL,
    refund_in_confirmed  BIGINT NOT NULL,
    refund_in_error      BIGINT NOT NULL,
    refund_out_pending   BIGINT NOT NULL,
    refund_out_confirmed BIGINT NOT NULL,
    refund_out_error     BIGINT NOT NULL,
    PRIMARY KEY (account_id, level, interval)
) WITHOUT ROWID;

-- What a payment of the kind transfer has beside its row there.
CREATE TABLE transfers (
    payment_id        INTEGER PRIMARY KEY,
    account_id        BIGINT NOT NULL,
    idempotency_key   TEXT NOT NULL,
    priority          TEXT NOT NULL,
    creditor_document TEXT NOT NULL, -- '' where the client named none
    currency          TEXT NOT NULL,
    flow              TEXT NOT NULL,
    expires_at        BIGINT NOT NULL,
    UNIQUE (account_id, idempotency_key)
);

-- What somebody can pay: cash-ins and cobs.
CREATE TABLE charges (
    id         INTEGER PRIMARY KEY,
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

-- What of a charge goes to others.
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

-- What a payment of the kind refund-in has beside its row there.
CREATE TABLE refunds (
    payment_id   INTEGER PRIMARY KEY,
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
    id               INTEGER PRIMARY KEY,
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

-- The MED list, without filters and with each combination of them.
CREATE INDEX meds_of_account ON meds (account_id, created_at);
CREATE INDEX meds_of_status ON meds (account_id, status, created_at);
CREATE INDEX meds_reconciled ON meds (account_id, (payment_id <> 0), created_at);
CREATE INDEX meds_of_status_reconciled ON meds (account_id, status, (payment_id <> 0), created_at);

-- The ledger: every movement of every account.
CREATE TABLE entries (
    id              INTEGER PRIMARY KEY,
    account_id      BIGINT NOT NULL,
    payment_id      BIGINT NOT NULL, -- 0: none
    kind            TEXT NOT NULL,
    delta_available BIGINT NOT NULL,
    delta_blocked   BIGINT NOT NULL,
    at              BIGINT NOT NULL
);

-- What an account has paid on a day of São Paulo, without fees and without what failed.
CREATE TABLE daily_totals (
    account_id BIGINT NOT NULL,
    day        TEXT NOT NULL, -- 2026-03-01
    spent      BIGINT NOT NULL,
    PRIMARY KEY (account_id, day)
);

CREATE TABLE webhooks (
    id         INTEGER PRIMARY KEY,
    account_id BIGINT NOT NULL,
    type       TEXT NOT NULL,
    url        TEXT NOT NULL,
    headers    TEXT NOT NULL, -- JSON: [{"key", "value"}]
    version    BIGINT NOT NULL,
    active     SMALLINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (account_id, type, url)
);

-- What webhooks tell, whether anybody subscribes to it or not.
CREATE TABLE events (
    id         INTEGER PRIMARY KEY,
    account_id BIGINT NOT NULL,
    payment_id BIGINT NOT NULL, -- 0: it is of no payment
    message_id TEXT NOT NULL,   -- webhook-id, the same over retries and resends
    type       TEXT NOT NULL,
    body       TEXT NOT NULL,   -- JSON
    at         BIGINT NOT NULL
);

CREATE INDEX events_of_payment ON events (payment_id) WHERE payment_id <> 0;

-- What is left to do. What a job is for is named by payment_id, charge_id, event_id and
-- webhook_id; 0 where it is for none.
CREATE TABLE jobs (
    id           INTEGER PRIMARY KEY,
    kind         TEXT NOT NULL,
    account_id   BIGINT NOT NULL,
    payment_id   BIGINT NOT NULL DEFAULT 0,
    charge_id    BIGINT NOT NULL DEFAULT 0,
    event_id     BIGINT NOT NULL DEFAULT 0,
    webhook_id   BIGINT NOT NULL DEFAULT 0,
    attempts     BIGINT NOT NULL DEFAULT 0, -- made so far
    parked       SMALLINT NOT NULL DEFAULT 0, -- 1: waits for a person, not for time
    due_at       BIGINT NOT NULL,
    leased_until BIGINT NOT NULL DEFAULT 0 -- 0: not leased
);

-- Every payment adds jobs and takes them away: what test controls alone ask for has no index.
CREATE INDEX jobs_of_payment ON jobs (payment_id) WHERE payment_id <> 0 AND kind <> 'deliver';
CREATE INDEX jobs_of_charge ON jobs (charge_id) WHERE charge_id <> 0;
CREATE INDEX tasks_due ON jobs (due_at, account_id) WHERE kind <> 'deliver' AND parked = 0;
CREATE INDEX deliveries_due ON jobs (webhook_id, due_at) WHERE kind = 'deliver' AND leased_until = 0;

-- The log: every attempt to deliver a webhook.
CREATE TABLE deliveries (
    id         INTEGER PRIMARY KEY,
    account_id BIGINT NOT NULL,
    payment_id BIGINT NOT NULL,
    webhook_id BIGINT NOT NULL, -- 0: a URL that a resend named
    message_id TEXT NOT NULL,
    url        TEXT NOT NULL,
    attempt    BIGINT NOT NULL, -- 1 is the first
    status     BIGINT NOT NULL, -- of HTTP; 0: no answer
    failure    TEXT NOT NULL,   -- why there was no answer
    at         BIGINT NOT NULL,
    took       BIGINT NOT NULL  -- microseconds
);

CREATE TABLE directory (
    pix_key  TEXT PRIMARY KEY, -- spelled canonically
    name     TEXT NOT NULL,
    document TEXT NOT NULL,
    ispb     TEXT NOT NULL,
    status   TEXT NOT NULL
);

CREATE TABLE signing_keys (
    id         TEXT PRIMARY KEY,
    secret     TEXT NOT NULL, -- hex
    created_at BIGINT NOT NULL -- real time
);
