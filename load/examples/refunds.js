// A charge that is paid and refunded in part.

import { check } from "k6";
import { Client, summary, thresholds } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
});

export const options = { iterations: 6, thresholds: thresholds("correct") };

export default async function () {
  const account = client.account();
  const charge = await account.cashIn({ value: "10.00" });
  const paid = await client.pay(charge); // by the test controls
  await paid.settled("10s");
  const refund = await account.refund(paid, { value: "2.50" });
  check(refund, { refunded: (r) => r.accepted });
}

export function handleSummary(data) {
  return { stdout: summary(data) };
}
