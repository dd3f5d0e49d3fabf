// The cash-out path: every arrival sends a payment; its webhook is awaited by the ledger,
// not by the virtual user. A share of them is sent twice on purpose.

import { handleSummary, thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { target } from "./target.js";

const gateway = target();

export const options = {
  scenarios: { "cash-out": profile() },
  thresholds: thresholds("correct", "answered", "valid", "interactive", "bcb-experience"),
};

export function setup() {
  gateway.prepare();
}

export default function () {
  gateway.account().cashOut();
}

export { handleSummary };
