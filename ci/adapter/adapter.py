#!/usr/bin/env python3
"""Test controls for a gateway with its own admin API.

pixcert calls test controls with the protocol in steps/target/controls.md. The admin API
of this example can set a balance, hold payments and settle one. This program translates
the controls "funds" and "settlement" into calls of that API. For your gateway, replace the
three functions under "Your gateway". For each further control, add a line to CALLS and a
function.

As a server    python3 adapter.py serve 127.0.0.1:8090
As a command   echo '{"available": "100.00"}' |
               python3 adapter.py funds PUT /accounts/1/balance

GATEWAY_ADMIN is the base URL of the admin API. By default it is http://127.0.0.1:8081,
where the controls of the bundled reference gateway ("pixcert serve") act as the admin API.

Requires Python 3.9 or later and no packages.
"""

import json
import os
import re
import sys
import urllib.error
import urllib.request
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refused(Exception):
    """A call that failed: 400 invalid, 404 unknown id, 409 already finished."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


# --- Your gateway -------------------------------------------------------------------

ADMIN = os.environ.get("GATEWAY_ADMIN", "http://127.0.0.1:8081")


def admin(method, path, body):
    """Sends a request to the admin API of the gateway."""
    request = urllib.request.Request(
        ADMIN + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
    )
    try:
        urllib.request.urlopen(request, timeout=10).close()
    except urllib.error.HTTPError as e:
        raise Refused(e.code, e.read().decode(errors="replace")) from e


def set_available(account, centavos):
    """Sets the available balance of an account; the blocked balance does not change."""
    admin("PUT", f"/accounts/{account}/balance", {"available": f"{centavos // 100}.{centavos % 100:02}"})


def hold_payments(account, hold):
    """Holds payments until end_payment; False settles them automatically, pending ones too."""
    admin("PUT", f"/accounts/{account}/settlement", {"mode": "manual" if hold else "automatic"})


def end_payment(account, payment, error):
    """Settles a pending payment: successfully, or with an error as (code, text)."""
    body = dict(payment, outcome="CONFIRMED")
    if error:
        body.update(outcome="ERROR", errorCode=error[0], errorMessage=error[1])
    admin("POST", f"/accounts/{account}/settlements", body)


# --- The controls -------------------------------------------------------------------


def put_balance(account, body):
    set_available(account, int(Decimal(body["available"]) * 100))


def put_settlement(account, body):
    hold_payments(account, {"manual": True, "automatic": False}[body["mode"]])


def post_settlement(account, body):
    """A payment is identified by its transactionId, a transfer by its id."""
    payment = {name: body[name] for name in ("transactionId", "id") if name in body}
    failed = {"CONFIRMED": False, "ERROR": True}[body["outcome"]]
    end_payment(account, payment, (body["errorCode"], body.get("errorMessage", "")) if failed else None)


CALLS = [
    ("funds", "PUT", r"/accounts/(\d+)/balance", put_balance),
    ("settlement", "PUT", r"/accounts/(\d+)/settlement", put_settlement),
    ("settlement", "POST", r"/accounts/(\d+)/settlements", post_settlement),
]


def answer(method, path, body):
    """Runs a call and returns its HTTP status and body."""
    if (method, path) == ("GET", "/controls"):
        return 200, {"protocol": 1, "controls": sorted({name for name, *_ in CALLS})}
    for _, called, pattern, call in CALLS:
        found = re.fullmatch(pattern, path)
        if not found or called != method:
            continue
        try:
            call(found[1], json.loads(body))
            return 200, {}
        except Refused as e:
            return e.status, {"message": str(e)}
        except (ArithmeticError, KeyError, TypeError, ValueError) as e:
            return 400, {"message": f"invalid body: {e!r}"}
        except OSError as e:
            return 500, {"message": f"the admin API at {ADMIN} does not respond: {e}"}
    return 501, {"message": f"no such call: {method} {path}"}


# --- Over HTTP and as a command -----------------------------------------------------


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # send each response at once

    def call(self):
        length = int(self.headers.get("Content-Length") or 0)
        status, said = answer(self.command, self.path, self.rfile.read(length))
        said = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = call


def serve(address):
    host, _, port = address.rpartition(":")
    server = ThreadingHTTPServer((host, int(port)), Server)
    print(f"Serving the test controls at http://{host}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


# Exit status by HTTP status; any other is a failure.
EXITS = {200: 0, 400: 40, 404: 44, 409: 49, 501: 51}


def run(_control, method, path):
    status, said = answer(method, path, sys.stdin.buffer.read())
    if status == 200:
        print(json.dumps(said))
    else:
        print(said["message"], file=sys.stderr)
    return EXITS.get(status, 1)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "serve":
        serve(sys.argv[2])
    elif len(sys.argv) == 4:
        sys.exit(run(*sys.argv[1:]))
    else:
        sys.exit(__doc__)
