// The target gateway, from environment variables:
//
// PIX_URL           base URL of the API (default: the bundled reference, http://127.0.0.1:8080)
// PIX_CONTROLS      base URL of the test controls, if the gateway has them (default only for the
//                   reference's PIX_URL: http://127.0.0.1:8081); PIX_CONTROL_TOKEN, their bearer token
// PIX_ACCOUNTS      a file of accounts, relative to this one or absolute, or how many accounts to
//                   create with the controls (default 4); without controls it must be a file
// PIX_SINK_LISTEN   address of the webhook listener (default 127.0.0.1, any port; accounts from a
//                   file need a fixed port)
// PIX_SINK_URL      the URL that the gateway calls, if it differs; ${HOSTNAME} is replaced
// PIX_SINK_CERT, PIX_SINK_KEY  PEM files of the listener; by default a certificate is generated,
//                   and written to the file PIX_SINK_AUTHORITY, for gateways that verify it
// PIX_FEES          of payments whose webhook contains no fee: transfer=0.50,cashIn=0.10,cob=0.10
// PIX_DRAIN         how long to wait for pending webhooks at the end (default 60s)
// PIX_SEED          the same seed generates the same payments
// PIX_REPEATS       share of payments that are deliberately sent twice (default 0.01)
//
// The extension itself reads PIX_RUN in every script: the run's id, the same for all of its instances (default:
// random).

import { test } from "k6/execution";
import { Client } from "k6/x/pix";
import { amounts, number, seconds } from "./environment.js";

const REFERENCE = { url: "http://127.0.0.1:8080", controls: "http://127.0.0.1:8081" };

const accounts = () => __ENV.PIX_ACCOUNTS || "4";

// made says whether the test controls create the accounts.
export const made = () => /^\d+$/.test(accounts());

// fromFile reads accounts whose certificates may be files. k6 adds what open reads to an archive.
const fromFile = (path) => JSON.parse(open(path)).map((account) => ({
  ...account,
  certificate: account.certificate.startsWith("-----") ? account.certificate : open(account.certificate),
}));

// target creates the client from these variables; options that a script passes override them.
export function target(more = {}) {
  const env = __ENV;
  const url = env.PIX_URL || REFERENCE.url;
  const controls = env.PIX_CONTROLS || (url === REFERENCE.url ? REFERENCE.controls : undefined);
  if (made() && !controls) {
    throw new Error("PIX_URL is set and PIX_CONTROLS is not: set PIX_ACCOUNTS to a file of the gateway's accounts, or PIX_CONTROLS to its test controls, which create accounts");
  }
  if (!made() && more.webhooks !== false && !env.PIX_SINK_LISTEN && !env.PIX_SINK_URL) {
    throw new Error("PIX_ACCOUNTS is a file: expected PIX_SINK_LISTEN with a port, such as 0.0.0.0:9443, or PIX_SINK_URL, because the webhook URLs of existing accounts must be the same in every run");
  }
  return new Client({
    url,
    controls: controls && { url: controls, token: env.PIX_CONTROL_TOKEN },
    accounts: made() ? Number(accounts()) : fromFile(accounts()),
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

const UNREACHABLE = /connection refused|no such host|network is unreachable|no route to host|i\/o timeout|deadline exceeded/;

// prepare prepares the run. If it cannot, the extension prints why, and k6 no stack trace, because nothing is wrong with
// the script.
export function prepare(client) {
  try {
    client.prepare();
  } catch (error) {
    if (UNREACHABLE.test(error)) {
      const where = __ENV.PIX_URL ? "check PIX_URL and PIX_CONTROLS" : `start one with "pixcert serve", or set PIX_URL and PIX_CONTROLS`;
      console.error(`no gateway responds at ${__ENV.PIX_URL || REFERENCE.url}: ${where}`);
    }
    test.abort(String(error));
  }
}
