// Tokens: every arrival requests a new access token with the client certificate, like an
// integrator that does not cache tokens.

import { thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { prepare, target } from "./target.js";

const client = target({ webhooks: false });

export const options = {
  scenarios: { token: profile() },
  thresholds: thresholds("answered", "valid", "interactive"),
};

export function setup() {
  prepare(client);
}

export default function () {
  client.account().token();
}

export { handleSummary } from "./summary.js";
