// Webhooks: URLs are registered again, virtual users send payments and wait for their
// webhooks, and request some resends.

import { thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { made, prepare, target } from "./target.js";

const client = target();

// A gateway allows 60 resends per minute, and may count those of all accounts together. The
// test controls lift this limit for accounts that they create.
const RESENDS = made() ? Infinity : 0.9; // per second

export const options = {
  scenarios: {
    delivery: profile({ exec: "delivery", share: 0.9 }),
    registration: profile({ exec: "registration", share: 0.05 }),
    resend: profile({ exec: "resend", share: 0.05, most: RESENDS }),
  },
  thresholds: thresholds("correct", "answered", "valid", "bcb-experience"),
};

export function setup() {
  prepare(client);
}

// One payment, from the request to its webhook.
export async function delivery() {
  const payment = await client.account().cashOut();
  if (payment.accepted) {
    await payment.settled("40s");
  }
}

// The URL is already registered: this is an update, not a fourth URL.
export function registration() {
  client.account().registerWebhook();
}

// Requests a resend of a payment's webhook.
export async function resend() {
  const account = client.account();
  const payment = await account.cashOut();
  if (payment.accepted) {
    await payment.settled("40s");
    await account.resend(payment);
  }
}

export { handleSummary } from "./summary.js";
