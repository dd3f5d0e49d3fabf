// One run of cash-outs according to PLAN: the gateway's options, the scenario, and the
// iteration at which the run logs a mark.

import exec from "k6/execution";
import { Client, result, summary, thresholds } from "k6/x/pix";

const plan = JSON.parse(__ENV.PLAN);
const client = new Client(plan.gateway);

export const options = { scenarios: { payments: plan.scenario }, thresholds: thresholds(...(plan.presets || ["correct"])) };

export function setup() {
  client.prepare();
}

export default function () {
  client.account().cashOut();
  if (plan.mark && exec.scenario.iterationInTest === plan.mark) {
    console.log("the mark is reached");
  }
}

export function handleSummary(data) {
  return { stdout: summary(data), [__ENV.RESULT]: result(data) };
}
