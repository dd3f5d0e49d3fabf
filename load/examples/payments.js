// Payments at a constant rate, open-loop: they arrive on schedule even if the gateway is slow.

import { Client, summary, thresholds } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
  accounts: 4,
});

export const options = {
  scenarios: {
    payments: { executor: "pix-arrival-rate", rate: 50, duration: "5s", preAllocatedVUs: 10, maxVUs: 100 },
  },
  thresholds: thresholds("correct", "answered", "valid"),
};

export function setup() {
  client.prepare(); // accounts, balances, the webhook listener and its registration
}

export default function () {
  client.account().cashOut();
}

export function handleSummary(data) {
  return { stdout: summary(data) };
}
