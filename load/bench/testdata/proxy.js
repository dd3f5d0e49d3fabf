// Cash-outs through a gateway with one fault, with the thresholds that the README names.

import { Client, result, summary, thresholds } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL,
  controls: { url: __ENV.PIX_CONTROLS },
  accounts: 2,
  repeats: Number(__ENV.REPEATS),
  late: "2s",
  drain: "6s",
});

export const options = {
  scenarios: { pay: { executor: "pix-arrival-rate", rate: 20, duration: __ENV.LASTS, preAllocatedVUs: 60 } },
  thresholds: {
    ...thresholds("correct", "once", "answered", "valid"),
    "pix_webhooks{outcome:late}": ["count==0"],
    ...(__ENV.LASTS === "8s" ? { pix_req_intended_duration: ["max<1500"] } : {}), // the stall; any machine may be busy for a moment
  },
};

export function setup() {
  client.prepare();
}

export default function () {
  client.account().cashOut();
}

export function handleSummary(data) {
  return { stdout: summary(data), [__ENV.RESULT]: result(data) };
}
