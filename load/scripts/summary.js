// The summary on the terminal. With PIX_RESULT, the result as JSON is written to that file, whose folder
// has to exist.

import { result, summary } from "k6/x/pix";

export function handleSummary(data) {
  const file = __ENV.PIX_RESULT ? { [__ENV.PIX_RESULT]: result(data) } : {};
  return { stdout: summary(data), ...file };
}
