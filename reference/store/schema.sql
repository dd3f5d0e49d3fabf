-- The gateway's state, in the SQL that SQLite and PostgreSQL share.
--
-- Ids are made by the gateway. Money is in centavos. Times are microseconds since 1970
-- in UTC: columns of jobs and deliveries hold real time, all others the account's own.
-- Flags are 0 or 1.

CREATE TABLE IF NOT EXISTS accounts (
    id                  BIGINT PRIMARY KEY,
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
    settlement          TEXT NOT NULL,
    clock_offset        BIGINT NOT NULL DEFAULT 0, -- microseconds ahead of real time
    removed             SMALLINT NOT NULL DEFAULT 0,
    CHECK (available >= 0 AND blocked >= 0)
);

CREATE TABLE IF NOT EXISTS certificates (
    fingerprint TEXT NOT NULL, -- SHA-256 in lower-case hex
    account_id  BIGINT NOT NULL,
    revoked     SMALLINT NOT NULL DEFAULT 0,
    PRIMARY KEY (fingerprint, account_id)
);

CREATE TABLE IF NOT EXISTS payments (
    id                   BIGINT PRIMARY KEY,
    transaction_id       TEXT NOT NULL UNIQUE,
    account_id           BIGINT NOT NULL,
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
    processed_at         BIGINT NOT NULL DEFAULT 0, -- 0: pending
    UNIQUE (account_id, external_id)
);

-- The ledger: every movement of every account.
CREATE TABLE IF NOT EXISTS entries (
    id              BIGINT PRIMARY KEY,
    account_id      BIGINT NOT NULL,
    payment_id      BIGINT NOT NULL, -- 0: none
    kind            TEXT NOT NULL,
    delta_available BIGINT NOT NULL,
    delta_blocked   BIGINT NOT NULL,
    at              BIGINT NOT NULL
);

-- What an account has paid on a day of São Paulo, without fees and without what failed.
CREATE TABLE IF NOT EXISTS daily_totals (
    account_id BIGINT NOT NULL,
    day        TEXT NOT NULL, -- 2026-03-01
    spent      BIGINT NOT NULL,
    PRIMARY KEY (account_id, day)
);

CREATE TABLE IF NOT EXISTS webhooks (
    id         BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    type       TEXT NOT NULL,
    url        TEXT NOT NULL,
    headers    TEXT NOT NULL, -- JSON: [{"key", "value"}]
    version    BIGINT NOT NULL,
    active     SMALLINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (account_id, type, url)
);

-- What is left to do. A settlement has the id of its payment.
CREATE TABLE IF NOT EXISTS jobs (
    id           BIGINT PRIMARY KEY,
    kind         TEXT NOT NULL,
    account_id   BIGINT NOT NULL,
    payment_id   BIGINT NOT NULL,
    webhook_id   BIGINT NOT NULL DEFAULT 0,
    message_id   TEXT NOT NULL DEFAULT '', -- webhook-id, the same over retries
    body         TEXT NOT NULL DEFAULT '',
    attempts     BIGINT NOT NULL DEFAULT 0, -- made so far
    parked       SMALLINT NOT NULL DEFAULT 0, -- 1: waits for a person, not for time
    due_at       BIGINT NOT NULL,
    leased_until BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX IF NOT EXISTS jobs_of_account ON jobs (account_id);
CREATE INDEX IF NOT EXISTS settlements_due ON jobs (due_at) WHERE kind = 'settle' AND parked = 0;
CREATE INDEX IF NOT EXISTS deliveries_due ON jobs (webhook_id, due_at) WHERE kind = 'deliver';

-- The log: every attempt to deliver a webhook.
CREATE TABLE IF NOT EXISTS deliveries (
    id         BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    payment_id BIGINT NOT NULL,
    webhook_id BIGINT NOT NULL,
    message_id TEXT NOT NULL,
    url        TEXT NOT NULL,
    attempt    BIGINT NOT NULL, -- 1 is the first
    status     BIGINT NOT NULL, -- of HTTP; 0: no answer
    failure    TEXT NOT NULL,   -- why there was no answer
    at         BIGINT NOT NULL,
    took       BIGINT NOT NULL  -- microseconds
);

CREATE TABLE IF NOT EXISTS directory (
    pix_key  TEXT PRIMARY KEY, -- spelled canonically
    name     TEXT NOT NULL,
    document TEXT NOT NULL,
    ispb     TEXT NOT NULL,
    status   TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS signing_keys (
    id         TEXT PRIMARY KEY,
    secret     TEXT NOT NULL, -- hex
    created_at BIGINT NOT NULL -- real time
);
