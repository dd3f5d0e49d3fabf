// Intended refusals: declared with responseCallback, they are no failures.

import { check } from "k6";
import { Client, expectedStatuses, summary } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
  balance: "100.00",
});

export const options = {
  iterations: 5,
  thresholds: { pix_req_failed: ["rate==0"], "pix_payments{outcome:refused,kind:refusal}": ["count==5"] },
};

export default async function () {
  const refused = await client.account().cashOut(
    { value: "1000.00" },
    { tags: { kind: "refusal" }, responseCallback: expectedStatuses({ min: 400, max: 422 }) },
  );
  check(refused, { "above the balance": (p) => p.error.code === "PIX_INSUFFICIENT_BALANCE" });
}

export function handleSummary(data) {
  return { stdout: summary(data) };
}
