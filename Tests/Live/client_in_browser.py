"""Runs the TypeScript client's check of a subscription in a page in Chromium, as `client_restart.py` runs a check.

    client_in_browser.py FOLDER ORIGIN [--web-socket] live ENDPOINT ACCESS-TOKEN REFRESH-TOKEN

FOLDER contains the compiled check. The page's origin is ORIGIN: to the browser, its host is this program.
"""

import functools
import http.server
import json
import sys
import threading

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

PAGE = """<!doctype html>
<meta charset="utf-8">
<script type="module">
  import { live } from "./live-check.js";
  const { endpoint, credentials, options } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  window.lines = [];
  live(endpoint, credentials, options, () => lines.push("heard"))
    .then(() => lines.push("ok"), (error) => lines.push(String(error?.stack ?? error), "failed"));
</script>
"""


class Files(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *arguments):
        pass


def browser(host, port):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    mapping = f"MAP {host} 127.0.0.1:{port}"
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--host-resolver-rules={mapping}"):
        options.add_argument(option)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


def main(folder, origin, arguments):
    is_over_web_sockets = "--web-socket" in arguments
    _, endpoint, access, refresh = [each for each in arguments if each != "--web-socket"]
    start = {
        "endpoint": endpoint,
        "credentials": {"accessToken": access, "refreshToken": refresh},
        "options": {"live": "webSocket"} if is_over_web_sockets else {},
    }
    files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    driver = browser(origin.removeprefix("http://"), files.server_port)
    try:
        driver.get(f"{origin}/#{json.dumps(start)}")
        printed = 0
        while True:
            # The page stays on this address, so its lines are there as soon as the module has run.
            lines = WebDriverWait(driver, 100, poll_frequency=0.05).until(
                lambda _: (driver.execute_script("return window.lines ?? []") or [])[printed:]
            )
            for line in lines:
                if line == "failed":
                    return 1
                print(line, flush=True)
            printed += len(lines)
            if lines[-1] == "ok":
                return 0
    finally:
        driver.quit()
        files.shutdown()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
