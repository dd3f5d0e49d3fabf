// The webhook path: URLs are registered again, payments are sent and their webhooks waited
// for, and a few are asked for a second time.

import { handleSummary, thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { made, target } from "./target.js";

const gateway = target();

// A gateway allows 60 resends a minute, and may count those of all accounts together. Of
// accounts that the controls make, they lift that limit.
const RESENDS = made() ? Infinity : 0.9; // a second

export const options = {
  scenarios: {
    delivery: profile({ exec: "delivery", share: 0.9 }),
    registration: profile({ exec: "registration", share: 0.05 }),
    resend: profile({ exec: "resend", share: 0.05, most: RESENDS }),
  },
  thresholds: thresholds("correct", "answered", "valid", "bcb-experience"),
};

export function setup() {
  gateway.prepare();
}

// One payment, from the request to its webhook.
export async function delivery() {
  const payment = await gateway.account().asyncCashOut();
  if (payment.accepted) {
    await payment.settled("40s");
  }
}

// The URL that is registered already: an update, not a fourth URL.
export function registration() {
  gateway.account().registerWebhook();
}

// A payment's webhook once more.
export async function resend() {
  const account = gateway.account();
  const payment = await account.asyncCashOut();
  if (payment.accepted) {
    await payment.settled("40s");
    account.resend(payment);
  }
}

export { handleSummary };
