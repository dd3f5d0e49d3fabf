// A payment that waits for its webhook, and several operations at the same time.

import { check } from "k6";
import { Gateway } from "k6/x/pix";

const gateway = new Gateway({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
});

export const options = { iterations: 5 };

export default async function () {
  const account = gateway.account();
  const payment = await account.async.cashOut({ value: "10.00" });
  check(payment, { accepted: (p) => p.accepted && p.status === 201 });

  const webhook = await payment.settled("10s");
  check(webhook, { settled: (w) => w.status === "CONFIRMED" && w.value === "10.00" });

  const [balance, listed] = await Promise.all([account.async.balance(), account.async.transactions({ size: 5 })]);
  check(listed, { listed: (l) => l.total > 0 && balance.accepted });
}
