// Cash-outs with the extension: EACH cash-outs per iteration, one after the other. With WEBHOOKS=true, webhooks are
// received at LISTEN.

import { Client } from "k6/x/pix";

const target = JSON.parse(__ENV.TARGET);
const each = Number(__ENV.EACH);
const client = new Client({
  url: target.URL,
  accounts: target.Credentials,
  webhooks: __ENV.WEBHOOKS === "true" ? { listen: __ENV.LISTEN } : false,
});

export const options = { vus: Number(__ENV.VUS), duration: __ENV.DURATION };

export default async function () {
  const account = client.account();
  for (let i = 0; i < each; i++) {
    await account.cashOut();
  }
}
