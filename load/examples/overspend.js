// Ten virtual users spend one small balance to its last centavo at the same time: two payments of R$ 5.00
// fit into R$ 10.00, if the gateway charges no fee. One that checks the balance and debits it later accepts
// more, so that the balance becomes negative, which is money drift.

import exec from "k6/execution";
import { Client, expectedStatuses, summary, thresholds } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
  accounts: 30,
  balance: "10.00",
});

export const options = {
  scenarios: { overspend: { executor: "per-vu-iterations", vus: 10, iterations: 30 } },
  thresholds: { ...thresholds("correct", "answered"), "pix_payments{outcome:confirmed}": ["count==60"] },
};

export function setup() {
  client.prepare();
}

export default function () {
  const account = client.account(exec.vu.iterationInScenario); // the same for all virtual users
  account.cashOut({ value: "5.00" }, { responseCallback: expectedStatuses(201, 400) });
}

export function handleSummary(data) {
  return { stdout: summary(data) };
}
