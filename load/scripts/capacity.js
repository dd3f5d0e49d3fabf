// Capacity search: the highest rate of cash-outs that holds the limits, with webhooks
// keeping up, found by growth and bisection and confirmed by a longer window.
//
// PIX_START, PIX_MAX  arrivals a second to begin with, and at most (default 50, 20000)
// PIX_WINDOW          how long each rate is judged (default 10s; the last one three times)
// PIX_VUS             virtual users at most (default 1000)

import { handleSummary, thresholds } from "k6/x/pix";
import { number, seconds } from "./environment.js";
import { target } from "./target.js";

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
  thresholds: thresholds("correct"), // failures under too much load are part of the search
};

export function setup() {
  gateway.prepare();
}

export default function () {
  gateway.account().cashOut();
}

export { handleSummary };
