package load

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// declared are the members of each class and interface in index.d.ts, with their types; a
// method has the type function.
func declared(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile("index.d.ts")
	require.NoError(t, err)
	all := map[string]map[string]string{}
	for _, of := range regexp.MustCompile(`(?ms)^  export (?:class|interface) (\w+)(?: extends (\w+))? \{$(.*?)^  \}`).FindAllStringSubmatch(string(text), -1) {
		members := map[string]string{}
		for name, typ := range all[of[2]] {
			members[name] = typ
		}
		for _, m := range regexp.MustCompile(`(?m)^    (?:readonly )?(\w+)(?:\(.*|\??: (.*);)$`).FindAllStringSubmatch(of[3], -1) {
			if members[m[1]] = m[2]; m[2] == "" {
				members[m[1]] = "function"
			}
		}
		delete(members, "constructor")
		all[of[1]] = members
	}
	exports := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^  export (?:class|function) (\w+)`).FindAllStringSubmatch(string(text), -1) {
		exports[m[1]] = "function"
	}
	all["exports"] = exports
	return all
}

// Every member that index.d.ts declares exists and has its type, in the script and as JSON, and
// there are no others.
func TestTheDeclarationsSayWhatThereIs(t *testing.T) {
	t.Parallel()
	interfaces := declared(t)
	spec, err := json.Marshal(interfaces)
	require.NoError(t, err)
	k := runK6(t, head+`
		import * as pix from "k6/x/pix";
		const client: Client = new Client({ ...at, accounts: 2, balance: "1000.00" });
		const declared = JSON.parse(__ENV.DECLARED);
		const is = (type: string, v: any, where: string): boolean => {
			if (type.includes(" | ")) return type.split(" | ").some((t) => is(t, v, where));
			if (type.endsWith("[]")) return Array.isArray(v) && v.every((x) => is(type.slice(0, -2), x, where));
			if (type.startsWith('"')) return v === JSON.parse(type);
			if (type.startsWith("Record<")) return typeof v === "object" && v !== null && !Array.isArray(v);
			if (declared[type]) return typeof v === "object" && v !== null && members(type, v, where);
			switch (type) {
			case "null": return v === null;
			case "Amount": return typeof v === "string" && /^(-?\d+\.\d\d)?$/.test(v);
			case "EventType": return typeof v === "string";
			default: return typeof v === type;
			}
		};
		const members = (of: string, v: any, where: string): boolean => {
			for (const name in v) {
				if (!declared[of][name]) console.log("WRONG " + where + "." + name + " is not declared");
			}
			for (const name in declared[of]) {
				const type = declared[of][name];
				if (where.startsWith("JSON") && (type === "function" || name === "headers" && of !== "Registration")) continue;
				if (!is(type, v[name], where + "." + name)) {
					console.log("WRONG " + where + "." + name + " expected " + type + ", got " + typeof v[name] + " " + v[name]);
				}
			}
			return true;
		};
		const show = (of: string, v: any, how: string) => {
			console.log("SHOWN " + of);
			members(of, v, of + " (" + how + ")");
			if (of !== "exports" && of !== "Client" && of !== "Account") members(of, JSON.parse(JSON.stringify(v)), "JSON of " + of + " (" + how + ")");
		};
		export default async function () {
			const [account, other] = [client.account(0), client.account(1)];
			show("exports", pix, ""); show("Client", client, ""); show("Account", account, "");
			const kept = await account.cashOut({ value: "1.00" });
			const payment = await account.cashOut({ value: "1.00" });
			const charge = await account.cashIn({ value: "1.00" });
			const paid = await client.pay(charge);
			const refused = await account.cashOut({ value: "100000.00" });
			show("Payment", kept, "first"); show("Payment", payment, "accepted"); show("Payment", refused, "refused"); show("Payment", charge, "charge");
			show("Payment", await account.transfer({ value: "1.00" }), "transfer"); show("Payment", await account.qrCashOut({ value: "1.00", qrCode: charge.pixCode }), "QR");
			show("Failure", refused.error, ""); show("Timings", payment.timings, ""); show("PaidCharge", paid, "");
			const settled = await kept.settled();
			show("Webhook", settled, "kept"); show("Webhook", await payment.settled(), "recent"); show("Webhook", await paid.settled(), "charge");
			console.log("VALUE " + (settled.value === "1.00"));
			show("Token", await account.token(), ""); show("Balance", await account.balance(), "");
			show("Transactions", await account.transactions(), ""); show("Transactions", await account.transactions({ size: -1 }), "refused"); show("Transactions", await account.transactionsByKey("nobody@example.com"), "none");
			show("Transaction", (await account.transactions()).items[0], "");
			show("Meds", await account.meds(), ""); show("Meds", await account.meds({ page: "x" }), "refused");
			show("Registrations", await account.webhooks(), ""); show("Registration", (await account.webhooks()).items[0], "");
			show("Reply", await account.registerWebhook(), ""); show("Reply", await account.registerWebhook({ url: "http://no" }), "refused");
			show("Resent", await account.resend(kept), ""); show("Resent", await account.resend("nothing"), "refused");
			show("Audit", await account.audit(), ""); show("Audit", (await client.audit())[1], "of all");
			show("Account", other, "");
		}`, append(target(t), "DECLARED="+string(spec)))
	require.NotContains(t, k.stderr, "level=error", k.stderr)
	assert.Empty(t, k.logged("WRONG"))
	assert.Equal(t, []string{"true"}, k.logged("VALUE"))
	shown := k.logged("SHOWN")
	for _, options := range []string{"Credentials", "Controls", "Params", "Operations"} {
		delete(interfaces, options)
	}
	for name := range interfaces {
		if !strings.HasSuffix(name, "Options") {
			assert.True(t, slices.Contains(shown, name), "nothing shows what %s is", name)
		}
	}
}
