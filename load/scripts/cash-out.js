// Cash-outs: every arrival sends a payment. The ledger waits for the webhook, not the virtual
// user. A share of the payments is deliberately sent twice.

import { thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { prepare, target } from "./target.js";

const client = target();

export const options = {
  scenarios: { "cash-out": profile() },
  thresholds: thresholds("correct", "answered", "valid", "interactive", "bcb-experience"),
};

export function setup() {
  prepare(client);
}

export default function () {
  client.account().cashOut();
}

export { handleSummary } from "./summary.js";
