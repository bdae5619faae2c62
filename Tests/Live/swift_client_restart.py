"""Runs the Swift client's check of a subscription that outlives its server.

    swift_client_restart.py CLIENT_CHECK HEARTH

Prints what the check prints: "ok", or what was not as it should be.
"""

import subprocess
import sys

from hearth_server import HearthServer

server = HearthServer(sys.argv[2])
check = None
try:
    url = server.start()
    check = subprocess.Popen([sys.argv[1], "live", url], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = check.stdout.readline()
    if line == "heard\n":
        server.stop()
        with server.elsewhere() as address:
            server.add_item(address, "meanwhile")
        server.start()
        server.add_item(url, "last")
        line = ""
    print(line + check.communicate(timeout=120)[0], end="")
    sys.exit(check.returncode)
finally:
    if check:
        check.kill()
    server.end()
