// Profiles: how many arrivals a second, for how long. All are open models: arrivals keep
// to the schedule however slow the gateway is, as payers do. While all virtual users are
// busy they wait, which their latency contains.
//
// PIX_PROFILE  smoke (default), average, stress, spike, soak, breakpoint, day
// PIX_RATE     arrivals a second on an average day (default 50); smoke sends a tenth
// PIX_DURATION how long all of it lasts, where the profile's own length is not wanted: its
//              parts keep their proportions
// PIX_VUS      virtual users at most (default: enough for answers within four seconds)

import { number, seconds } from "./environment.js";

// A day of payments in 24 parts, as shares of its busiest hour: quiet nights, a peak at
// noon and another one in the early evening.
const DAY = [
  0.22, 0.13, 0.09, 0.07, 0.07, 0.12, 0.27, 0.48, 0.68, 0.82, 0.92, 0.98,
  1.0, 0.95, 0.93, 0.95, 0.97, 1.0, 0.98, 0.88, 0.76, 0.64, 0.5, 0.34,
];

// Where the rate starts, and [seconds, rate at their end], as multiples of PIX_RATE; the
// ramp before a plateau is not judged apart: thresholds hold over the whole run but its
// warm-up.
const PROFILES = {
  // Does it work at all? Every build can afford it.
  smoke: { start: 0.1, stages: [[15, 0.1]] },
  // The load of an ordinary day.
  average: { start: 0, stages: [[60, 1], [300, 1], [30, 0]] },
  // Twice an ordinary day: payday, the fifth working day of the month.
  stress: { start: 0, stages: [[60, 1], [60, 2], [300, 2], [30, 0]] },
  // A sale begins: ten times the load within ten seconds, and does it recover?
  spike: { start: 1, stages: [[30, 1], [10, 10], [30, 10], [10, 1], [60, 1]] },
  // What leaks, fills up or is never cleaned shows after hours.
  soak: { start: 0, stages: [[60, 1], [4 * 3600, 1], [30, 0]] },
  // Ever more, until a threshold with abortOnFail ends it. capacity.js searches better.
  breakpoint: { start: 1, stages: [[1800, 20]] },
  // The shape of a day in 24 parts of a minute, its busiest hour at twice the average.
  day: { start: 2 * DAY[23], stages: DAY.map((share) => [60, 2 * share]) },
};

// profile gives the scenario of PIX_PROFILE. A share below 1 is for scripts with several
// scenarios; most is how many arrivals a second there may be at the peak, where the API
// sets a limit, whatever the share.
export function profile({ exec = "default", share = 1, most = Infinity, name = __ENV.PIX_PROFILE || "smoke" } = {}) {
  if (!Object.hasOwn(PROFILES, name)) {
    throw new Error(`PIX_PROFILE is ${name}: expected one of ${Object.keys(PROFILES).join(", ")}`);
  }
  const { start, stages } = PROFILES[name];
  const highest = Math.max(start, ...stages.map(([, target]) => target));
  const rate = Math.min(number("PIX_RATE", 50, 0.1) * share, most / highest);
  const length = stages.reduce((sum, [length]) => sum + length, 0);
  const pace = seconds("PIX_DURATION", length) / length;
  const peak = rate * highest;
  const users = Math.ceil(number("PIX_VUS", 0, 1) * share) || Math.max(64, Math.ceil(peak * 4));
  return {
    executor: "pix-arrival-rate",
    exec,
    startRate: rate * start,
    stages: stages.map(([length, target]) => ({
      duration: `${Math.round(length * pace * 1000)}ms`,
      target: rate * target,
    })),
    // Enough for answers within a quarter of a second, and a few for every segment of a
    // small load.
    preAllocatedVUs: Math.min(users, Math.max(16, Math.ceil(peak / 4))),
    maxVUs: users,
    gracefulStop: "30s",
  };
}
