// The token path: every arrival asks for an access token of its own, with the client
// certificate, as an integrator does that keeps none.

import { handleSummary, thresholds } from "k6/x/pix";
import { profile } from "./profiles.js";
import { target } from "./target.js";

const gateway = target({ webhooks: false });

export const options = {
  scenarios: { token: profile() },
  thresholds: thresholds("answered", "valid", "interactive"),
};

export function setup() {
  gateway.prepare();
}

export default function () {
  gateway.account().token();
}

export { handleSummary };
