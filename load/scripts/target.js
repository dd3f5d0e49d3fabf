// The gateway that the load goes to, as the environment describes it.
//
// PIX_URL           where the API is (default: the bundled reference, http://127.0.0.1:8080)
// PIX_CONTROLS      the test controls, where there are any (default for the reference's
//                   PIX_URL alone: http://127.0.0.1:8081); PIX_CONTROL_TOKEN, their bearer token
// PIX_ACCOUNTS      a file of accounts, or how many the controls shall make (default 4): without
//                   controls it has to be a file
// PIX_SHARED        1: all instances of the run use all of the accounts in the file
// PIX_SINK_LISTEN   where webhooks are received (default 127.0.0.1, any port; for accounts of a
//                   file it needs a port that stays)
// PIX_SINK_URL      the address the gateway calls, where it differs; ${HOSTNAME} is replaced
// PIX_SINK_CERT, PIX_SINK_KEY  PEM files of the listener; made anew by default, and then
//                   PIX_SINK_AUTHORITY is a file to write the authority to
// PIX_FEES          of the payments whose webhook names no fee: transfer=0.50,cashIn=0.10,cob=0.10
// PIX_DRAIN         how long the end waits for webhooks that are under way (default 60s)
// PIX_SEED          the same seed gives the same payments
// PIX_REPEATS       share of payments sent twice on purpose (default 0.01)
//
// The extension itself reads, whatever the script:
//
// PIX_RUN           the run's id, the same for all of its instances (default: random)
// PIX_REPORT        folder of the report (default report/load)

import { Gateway } from "k6/x/pix";
import { amounts, number, seconds } from "./environment.js";

const REFERENCE = { url: "http://127.0.0.1:8080", controls: "http://127.0.0.1:8081" };

const accounts = () => __ENV.PIX_ACCOUNTS || "4";

// made says whether the test controls make the accounts.
export const made = () => /^\d+$/.test(accounts());

// target gives the gateway of the environment; what a script needs otherwise goes before it.
export function target(more = {}) {
  const env = __ENV;
  const url = env.PIX_URL || REFERENCE.url;
  const controls = env.PIX_CONTROLS || (url === REFERENCE.url ? REFERENCE.controls : undefined);
  if (made() && !controls) {
    throw new Error("PIX_URL is set and PIX_CONTROLS is not: expected PIX_ACCOUNTS to name a file of the gateway's accounts, or PIX_CONTROLS to say where its test controls are, which make accounts");
  }
  if (!made() && more.webhooks !== false && !env.PIX_SINK_LISTEN && !env.PIX_SINK_URL) {
    throw new Error("PIX_ACCOUNTS names a file: expected PIX_SINK_LISTEN with a port, such as 0.0.0.0:9443, or PIX_SINK_URL, as the webhook URLs of accounts that stay have to be the same in every run");
  }
  return new Gateway({
    url,
    controls: controls && { url: controls, token: env.PIX_CONTROL_TOKEN },
    accounts: made() ? Number(accounts()) : accounts(),
    sharedAccounts: env.PIX_SHARED === "1",
    webhooks: {
      listen: env.PIX_SINK_LISTEN,
      url: env.PIX_SINK_URL && env.PIX_SINK_URL.replace("${HOSTNAME}", env.HOSTNAME || "localhost"),
      certificate: env.PIX_SINK_CERT,
      key: env.PIX_SINK_KEY,
      authority: env.PIX_SINK_AUTHORITY,
    },
    fees: amounts("PIX_FEES"),
    drain: `${seconds("PIX_DRAIN", 60)}s`,
    seed: number("PIX_SEED"),
    repeats: number("PIX_REPEATS", 0.01),
    profile: env.PIX_PROFILE || "smoke",
    ...more,
  });
}
