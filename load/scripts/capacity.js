// Capacity search: finds the highest rate of cash-outs at which latency, webhooks and failures
// stay within the limits. The rate grows, is then bisected, and confirmed by a longer window.
//
// PIX_START, PIX_MAX  first and highest rate, in arrivals per second (default 50, 20000)
// PIX_WINDOW          how long each rate is measured (default 10s; three times that to confirm)
// PIX_VUS             maximum number of virtual users (default 1000)

import { handleSummary, thresholds } from "k6/x/pix";
import { number, seconds } from "./environment.js";
import { prepare, target } from "./target.js";

const users = number("PIX_VUS", 1000, 1);

const gateway = target({ httpMetrics: false, profile: "capacity" });

export const options = {
  scenarios: {
    capacity: {
      executor: "pix-capacity",
      startRate: number("PIX_START", 50),
      maxRate: number("PIX_MAX", 20000),
      window: `${seconds("PIX_WINDOW", 10)}s`,
      hold: { latency: "500ms", delivery: "5s", failed: 0.001 },
      preAllocatedVUs: Math.min(users, 200),
      maxVUs: users,
    },
  },
  thresholds: thresholds("correct"), // the search causes failures on purpose
};

export function setup() {
  prepare(gateway);
}

export default function () {
  gateway.account().cashOut();
}

export { handleSummary };
