
# member NAME: print the first field of that name in $RESPONSE
member() { printf '%s' "$RESPONSE" | grep -oE "\"$1\" *: *\"?[^\",}]*" | head -n 1 | sed -E 's/^"[^"]*" *: *"?//'; }

# The keys of new accounts are in a private directory, which is removed at the end of this shell.
KEYS=$(mktemp -d) && trap 'rm -rf "$KEYS"' EXIT

# new_account [OTHER_]: create an account with a new certificate
new_account() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=pixcert -keyout "$KEYS/${1}client.key" -out "$KEYS/${1}client.pem" 2>/dev/null
  RESPONSE=$(curl -sS -X POST "$CONTROLS/accounts" -H 'Content-Type: application/json' -H "Authorization: Bearer $CONTROL_TOKEN" \
    --data-raw "{\"certificate\":\"$(awk '{printf "%s\\n", $0}' "$KEYS/${1}client.pem")\"}")
  eval "${1}ACCOUNT_ID=\$(member accountId); ${1}CLIENT_ID=\$(member clientId); ${1}CLIENT_SECRET=\$(member clientSecret); ${1}PIX_KEY=\$(member pixKey)"
  eval "${1}CLIENT_CERT=\$(sed 's/+/%2B/g; s/ /%20/g; s,/,%2F,g; s/=/%3D/g; s/\$/%0A/' \"\$KEYS/${1}client.pem\" | tr -d '\n')"
}

# new_token: request an access token for the account
new_token() {
  RESPONSE=$(curl -sS -X POST "$TOKENS" -H "X-SSL-Client-Cert: $CLIENT_CERT" -H 'Content-Type: application/json' \
    --data-raw "{\"clientId\":\"$CLIENT_ID\",\"clientSecret\":\"$CLIENT_SECRET\"}")
  TOKEN=$(member access_token)
}

