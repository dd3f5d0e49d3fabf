// Payments to the payees of a CSV file, each row once.

import { check } from "k6";
import exec from "k6/execution";
import { SharedArray } from "k6/data";
import { Client } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
});

const payees = new SharedArray("payees", () =>
  open("./payees.csv").trim().split("\n").slice(1).map((line) => {
    const [key, keyType, value] = line.trim().split(",");
    return { key, keyType, value };
  }),
);

export const options = { scenarios: { rows: { executor: "shared-iterations", vus: 1, iterations: payees.length } } };

export default async function () {
  const payment = await client.account().cashOut(payees[exec.scenario.iterationInTest]);
  check(payment, { accepted: (p) => p.accepted });
}
