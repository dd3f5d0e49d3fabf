// Profiles: arrivals per second over time. All are open-loop: arrivals follow the schedule
// even if the gateway is slow, as payers do. If all virtual users are busy, arrivals wait, and
// the wait is part of their latency.
//
// PIX_PROFILE  smoke (default), average, stress, spike, soak, day
// PIX_RATE     arrivals per second on an average day (default 50); smoke sends a tenth
// PIX_DURATION total duration, overriding the profile's; its parts keep their proportions
// PIX_VUS      maximum number of virtual users (default: enough for responses within four seconds,
//              and at most 5000)
// RATE         a constant rate of arrivals per second instead of a profile, for DURATION (default
//              30s): "k6 x pix capacity" sets both

import { number, seconds } from "./environment.js";

// A day of payments by hour, relative to the busiest hour: quiet nights, a peak at noon and
// another in the early evening.
const DAY = [
  0.22, 0.13, 0.09, 0.07, 0.07, 0.12, 0.27, 0.48, 0.68, 0.82, 0.92, 0.98,
  1.0, 0.95, 0.93, 0.95, 0.97, 1.0, 0.98, 0.88, 0.76, 0.64, 0.5, 0.34,
];

// The start rate, and stages of [seconds, rate at the end], as multiples of PIX_RATE.
// Thresholds cover the whole run except its warm-up, including ramps.
const PROFILES = {
  // Does it work at all? Short enough for every build.
  smoke: { start: 0.1, stages: [[15, 0.1]] },
  // The load of an ordinary day.
  average: { start: 0, stages: [[60, 1], [300, 1], [30, 0]] },
  // Twice an ordinary day: payday, the fifth working day of the month.
  stress: { start: 0, stages: [[60, 1], [60, 2], [300, 2], [30, 0]] },
  // A sale begins: ten times the load within ten seconds. Does the gateway recover?
  spike: { start: 1, stages: [[30, 1], [10, 10], [30, 10], [10, 1], [60, 1]] },
  // Leaks, full disks and missing clean-up show after hours.
  soak: { start: 0, stages: [[60, 1], [4 * 3600, 1], [30, 0]] },
  // The shape of a day, an hour per minute, with the busiest hour at twice the average.
  day: { start: 2 * DAY[23], stages: DAY.map((share) => [60, 2 * share]) },
};

// Each virtual user takes memory, and a run that needs more than these waits for them anyway.
const MOST_USERS = 5000;

// profile returns the scenario of PIX_PROFILE. A share below 1 is for scripts with several
// scenarios; most is the maximum of arrivals per second at the peak, for operations that the
// API limits.
export function profile({ exec = "default", share = 1, most = Infinity, name = __ENV.PIX_PROFILE || "smoke" } = {}) {
  if (!Object.hasOwn(PROFILES, name)) {
    throw new Error(`PIX_PROFILE is ${name}: expected one of ${Object.keys(PROFILES).join(", ")}`);
  }
  const constant = number("RATE", 0, 0.1);
  const { start, stages } = constant ? { start: 1, stages: [[seconds("DURATION", 30), 1]] } : PROFILES[name];
  const highest = Math.max(start, ...stages.map(([, target]) => target));
  const rate = Math.min((constant || number("PIX_RATE", 50, 0.1)) * share, most / highest);
  const length = stages.reduce((sum, [length]) => sum + length, 0);
  const pace = constant ? 1 : seconds("PIX_DURATION", length) / length;
  const peak = rate * highest;
  const users = Math.ceil(number("PIX_VUS", 0, 1) * share) || Math.min(Math.ceil(MOST_USERS * share), Math.max(64, Math.ceil(peak * 4)));
  return {
    executor: "pix-arrival-rate",
    exec,
    startRate: rate * start,
    stages: stages.map(([length, target]) => ({
      duration: `${Math.round(length * pace * 1000)}ms`,
      target: rate * target,
    })),
    // Enough for responses within a quarter of a second, and a few for every segment of a
    // small load.
    preAllocatedVUs: Math.min(users, Math.max(16, Math.ceil(peak / 4))),
    maxVUs: users,
    gracefulStop: "30s",
  };
}
