-- Lists that read no more than what they show, and totals that are kept.
DROP INDEX payments_listed;
DROP INDEX payments_by_key;
CREATE INDEX payments_of_account ON payments (account_id, kind, status, created_at);
CREATE INDEX payments_of_key ON payments (account_id, directory_key, kind, status, created_at);
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
INSERT INTO payment_counts SELECT account_id, level, created_at >> (20 + 7 * level),
    SUM(kind IN ('cash-in', 'cob') AND status = 'PENDING'),
    SUM(kind IN ('cash-in', 'cob') AND status = 'CONFIRMED'),
    SUM(kind IN ('cash-in', 'cob') AND status = 'ERROR'),
    SUM(kind IN ('cash-out', 'cash-out-qrcode', 'transfer') AND status = 'PENDING'),
    SUM(kind IN ('cash-out', 'cash-out-qrcode', 'transfer') AND status = 'CONFIRMED'),
    SUM(kind IN ('cash-out', 'cash-out-qrcode', 'transfer') AND status = 'ERROR'),
    SUM(kind IN ('refund-in') AND status = 'PENDING'),
    SUM(kind IN ('refund-in') AND status = 'CONFIRMED'),
    SUM(kind IN ('refund-in') AND status = 'ERROR'),
    SUM(kind IN ('refund-out') AND status = 'PENDING'),
    SUM(kind IN ('refund-out') AND status = 'CONFIRMED'),
    SUM(kind IN ('refund-out') AND status = 'ERROR')
    FROM payments, (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) GROUP BY 1, 2, 3;
