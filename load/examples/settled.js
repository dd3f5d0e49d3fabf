// A payment that waits for its webhook, and several operations at the same time.

import { check } from "k6";
import { Client } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
});

export const options = { iterations: 5 };

export default async function () {
  const account = client.account();
  const payment = await account.cashOut({ value: "10.00" });
  check(payment, { accepted: (p) => p.accepted && p.status === 201 });

  const webhook = await payment.settled("10s");
  check(webhook, { settled: (w) => w.status === "CONFIRMED" && w.value === "10.00" });

  const [balance, listed] = await Promise.all([account.balance(), account.transactions({ size: 5 })]);
  check(listed, { listed: (l) => l.total > 0 && balance.accepted });
}
