// Thresholds as JUnit XML, which CI servers display: each threshold is a test case.

import { Client, summary, thresholds } from "k6/x/pix";

const client = new Client({
  url: __ENV.PIX_URL || "http://127.0.0.1:8080",
  controls: { url: __ENV.PIX_CONTROLS || "http://127.0.0.1:8081" },
});

export const options = {
  vus: 2,
  iterations: 20,
  thresholds: { ...thresholds("correct"), http_req_duration: ["p(95)<20000"] },
};

export function setup() {
  client.prepare();
}

export default function () {
  client.account().cashOut();
}

function junit(data) {
  const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const cases = Object.entries(data.metrics).flatMap(([metric, { thresholds = {}, values }]) =>
    Object.entries(thresholds).map(([limit, { ok }]) => {
      const failure = ok ? "" : `<failure message="${escape(JSON.stringify(values))}"/>`;
      return `<testcase classname="${escape(metric)}" name="${escape(limit)}">${failure}</testcase>`;
    }));
  return `<testsuites><testsuite name="thresholds" tests="${cases.length}">\n${cases.join("\n")}\n</testsuite></testsuites>\n`;
}

export function handleSummary(data) {
  return { stdout: summary(data), "junit.xml": junit(data) };
}
