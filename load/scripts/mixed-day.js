// The typical traffic of an integrator: mostly payments, some charges, balances and lists, and
// a few tokens. PIX_PROFILE=day also follows the shape of a day.

import { thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { prepare, target } from "./target.js";

const client = target();

// Shares of the traffic, chosen by pixcert: replace them with those of your own logs.
const SHARES = { cashOut: 0.5, transfer: 0.1, charge: 0.15, balance: 0.14, list: 0.1, token: 0.01 };

export const options = {
  scenarios: Object.fromEntries(Object.entries(SHARES).map(([exec, share]) => [exec, profile({ exec, share })])),
  thresholds: thresholds("correct", "answered", "valid", "bcb-experience"),
};

export function setup() {
  prepare(client);
}

export function cashOut() {
  client.account().cashOut();
}

// Pays to a payee that the test controls added to the directory. Without that control, it
// sends a cash-out instead, which needs no directory.
export function transfer() {
  const account = client.account();
  client.offers("directory") ? account.transfer() : account.cashOut();
}

// Half of the charges are paid if the test controls can do that.
export async function charge() {
  const charge = await client.account().cashIn();
  if (charge.accepted && client.offers("payments") && Math.random() < 0.5) {
    await client.pay(charge);
  }
}

export function balance() {
  client.account().balance();
}

export function list() {
  client.account().transactions({ size: 20 });
}

export function token() {
  client.account().token();
}

export { handleSummary } from "./summary.js";
