// Cash-outs as they are written with k6/http: a token in the header, a body from
// JSON.stringify, two checks on the response's JSON.

import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";

const target = JSON.parse(__ENV.TARGET);
const run = `h${Date.now()}`;

export const options = { vus: Number(__ENV.VUS), duration: __ENV.DURATION };

export function setup() {
  const { clientId, clientSecret, certificate } = target.Credentials[0];
  const response = http.post(`${target.URL}/api/auth/token`, JSON.stringify({ clientId, clientSecret }), {
    headers: { "Content-Type": "application/json", "X-SSL-Client-Cert": encodeURIComponent(certificate) },
  });
  return { token: response.json("access_token"), run };
}

export default function ({ token, run }) {
  const response = http.post(
    `${target.URL}/api/pix/cash-out`,
    JSON.stringify({
      value: (1 + Math.floor(Math.random() * 10000)) / 100,
      externalId: `${run}x${exec.scenario.iterationInTest}`,
      description: "Aluguel de novembro",
      details: { key: "maria.souza@example.com", keyType: "EMAIL", name: "Maria de Souza", document: "52998224725" },
    }),
    { headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` } },
  );
  check(response, {
    "is pending": (r) => r.json("status") === "PENDING",
    "has an id": (r) => r.json("transactionId") !== "",
  });
}
