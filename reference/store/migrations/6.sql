-- An idempotency key is one in every spelling. Where two spellings have made two transfers, both are kept.
UPDATE OR IGNORE transfers SET idempotency_key = lower(idempotency_key) WHERE idempotency_key <> lower(idempotency_key);
