// Two scenarios with thresholds of their own; the run is aborted if payments fail.

import { Client, summary } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
});

export const options = {
  scenarios: {
    payments: { executor: "pix-arrival-rate", rate: 20, duration: "3s", preAllocatedVUs: 10, arrivals: "poisson", exec: "payments" },
    reading: { executor: "constant-vus", vus: 2, duration: "3s", exec: "reading" },
  },
  thresholds: {
    "pix_req_failed{scenario:payments}": [{ threshold: "rate<0.05", abortOnFail: true, delayAbortEval: "2s" }],
    "pix_payments{outcome:sent,scenario:payments}": ["count>20"],
    "pix_req_duration{scenario:reading,operation:balance}": ["p(50)<1000"],
  },
};

export function setup() {
  client.prepare();
}

export function payments() {
  client.account().cashOut();
}

export function reading() {
  client.account().balance();
}

export function handleSummary(data) {
  return { stdout: summary(data) };
}
