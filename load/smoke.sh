#!/bin/sh
# Runs a script, by default cash-out.js with its smoke profile, against the bundled
# reference: usage: load/smoke.sh [SCRIPT]. Everything listens on loopback, on free ports,
# and ends with the script. The exit status is k6's, or 3 if the run is invalid: this machine was
# too busy to measure.
set -eu
cd "$(dirname "$0")/.."

# Nothing but the bundled reference, whatever the environment names, and no usage report.
unset PIX_ACCOUNTS PIX_CONTROL_TOKEN PIX_SINK_LISTEN PIX_SINK_URL PIX_SINK_CERT PIX_SINK_KEY PIX_SINK_AUTHORITY
export K6_NO_USAGE_REPORT=true
export PIX_RESULT="${PIX_RESULT:-report/load/result.json}"
mkdir -p "$(dirname "$PIX_RESULT")"
rm -f "$PIX_RESULT"

scratch=$(mktemp -d)
mkfifo "$scratch/gateway"
./pixcert serve --listen 127.0.0.1:0 --controls 127.0.0.1:0 >"$scratch/gateway" &
gateway=$!
trap 'kill "$gateway" 2>/dev/null || :; wait "$gateway" || :; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# It says where it listens once it does: "API  URL", "test controls  URL".
exec 3<"$scratch/gateway"
if ! { read -r _ url && read -r _ _ controls; } <&3; then
	echo 'the reference gateway did not start: see its message above' >&2
	exit 1
fi

status=0
PIX_URL="$url" PIX_CONTROLS="$controls" ./k6 run --quiet "${1:-load/scripts/cash-out.js}" || status=$?
if [ "$status" = 99 ] && grep -q '^ "outcome": "invalid"' "$PIX_RESULT"; then
	status=3
fi
exit "$status"
