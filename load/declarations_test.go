package load

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheDeclarationsNameWhatThereIs compares index.d.ts with the members that a script sees.
func TestTheDeclarationsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("index.d.ts")
	require.NoError(t, err)
	declared := map[string][]string{
		"exports":  names(string(text), `(?m)^export (?:class|function) (\w+)`),
		"gateway":  members(t, string(text), "class Gateway"),
		"account":  members(t, string(text), "interface Account"),
		"payment":  append(members(t, string(text), "interface Payment"), members(t, string(text), "interface Reply")...),
		"paid":     members(t, string(text), "interface PaidCharge"),
		"webhook":  members(t, string(text), "interface Webhook"),
		"token":    append(members(t, string(text), "interface Token"), members(t, string(text), "interface Reply")...),
		"balance":  append(members(t, string(text), "interface Balance"), members(t, string(text), "interface Reply")...),
		"list":     append(members(t, string(text), "interface Transactions"), members(t, string(text), "interface Reply")...),
		"listed":   members(t, string(text), "interface Transaction"),
		"webhooks": append(members(t, string(text), "interface Registrations"), members(t, string(text), "interface Reply")...),
		"hook":     members(t, string(text), "interface Registration"),
		"resent":   append(members(t, string(text), "interface Resent"), members(t, string(text), "interface Reply")...),
		"audit":    members(t, string(text), "interface Audit"),
	}
	k := runK6(t, head+`
		import * as pix from "k6/x/pix";
		const gateway: Gateway = new Gateway({ ...at });
		const show = (name: string, of: object) => {
			const names = [];
			for (const key in of) names.push(key);
			console.log("FOUND " + name + " " + names.join(","));
		};
		export default async function () {
			const account = gateway.account();
			const payment = await account.asyncCashOut();
			const paid = gateway.pay(account.cashIn());
			show("exports", pix); show("gateway", gateway); show("account", account); show("payment", payment);
			show("paid", paid); show("webhook", await payment.settled()); show("token", account.token());
			show("balance", account.balance()); show("list", account.transactions()); show("listed", account.transactions().items[0]);
			show("webhooks", account.webhooks()); show("hook", account.webhooks().items[0]);
			show("resent", account.resend(payment)); show("audit", account.audit());
		}`, target(t))
	requireSound(t, k)
	for name, want := range declared {
		_, line, ok := strings.Cut(k.stderr, "FOUND "+name+" ")
		require.True(t, ok, "%s: %s", name, k.stderr)
		found := strings.Split(line[:strings.IndexAny(line, "\"\n")], ",")
		slices.Sort(found)
		slices.Sort(want)
		assert.Equal(t, want, found, name)
	}
}

// members are those of a class or an interface.
func members(t *testing.T, text, of string) []string {
	t.Helper()
	_, body, ok := strings.Cut(text, "export "+of+" ")
	require.True(t, ok, of)
	body, _, _ = strings.Cut(body, "\n}")
	found := names(body, `(?m)^  (?:readonly )?(\w+)\??[(:]`)
	return slices.DeleteFunc(slices.Compact(found), func(name string) bool { return name == "constructor" })
}

func names(text, pattern string) (found []string) {
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}
