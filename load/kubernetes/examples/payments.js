// A run on several pods: each takes its share of the rate and of the accounts.
import { Client, result, summary, thresholds } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL,
  run: __ENV.PIX_RUN,
  accounts: JSON.parse(open(__ENV.PIX_ACCOUNTS)),
  webhooks: {
    listen: __ENV.PIX_SINK_LISTEN,
    url: __ENV.PIX_SINK_URL,
    certificate: __ENV.PIX_SINK_CERT,
    key: __ENV.PIX_SINK_KEY,
  },
});

export const options = {
  scenarios: {
    payments: {
      executor: "pix-arrival-rate",
      rate: Number(__ENV.PIX_RATE || 400), // of all pods together
      duration: "5m",
      preAllocatedVUs: 200,
      maxVUs: 2000,
    },
  },
  thresholds: thresholds("correct", "answered", "valid"),
};

export function setup() {
  client.prepare();
}

export default function () {
  client.account().cashOut();
}

export function handleSummary(data) {
  return { stdout: summary(data), [__ENV.PIX_RESULT]: result(data) };
}
