// One run of cash-outs according to PLAN: the gateway's options, the scenario, and the
// iteration at which the run logs a mark.

import exec from "k6/execution";
import { Gateway, result, summary, thresholds } from "k6/x/pix";

const plan = JSON.parse(__ENV.PLAN);
const gateway = new Gateway(plan.gateway);

export const options = { scenarios: { payments: plan.scenario }, thresholds: thresholds("correct") };

export function setup() {
  gateway.prepare();
}

export default function () {
  gateway.account().cashOut();
  if (plan.mark && exec.scenario.iterationInTest === plan.mark) {
    console.log("the mark is reached");
  }
}

export function handleSummary(data) {
  return { stdout: summary(data), [__ENV.RESULT]: result(data) };
}
