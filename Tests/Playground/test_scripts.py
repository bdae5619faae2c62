"""Scripts before a request and after its response: what they can do, what they cannot reach, and when imported ones run."""

import hashlib
import hmac
import json
import os
import pathlib
import socket
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import PHONE
from test_features import DemoServer, Downloads
from test_tools import ToolTestCase

# Records the headers of the GraphQL requests that the page sends.
RECORD = """
window.sent = [];
const send = window.fetch;
window.fetch = (address, options) => {
  if (String(address).endsWith("/graphql")) window.sent.push(Object.fromEntries(new Headers(options.headers)));
  return send(address, options);
};
"""

# What a script tries to reach, each an expression that must fail or be undefined.
UNREACHABLE = {
    "document": "document.cookie",
    "parent": "parent.document",
    "top": "top.location",
    "opener": "opener.location",
    "window": "window.name",
    "localStorage": "localStorage.length",
    "sessionStorage": "sessionStorage.length",
    "cookieStore": "await cookieStore.getAll()",
    "indexedDB": "await new Promise((yes, no) => { const asked = indexedDB.open('x'); asked.onsuccess = yes; asked.onerror = no; })",
    "caches": "await caches.keys()",
    "files": "await navigator.storage.getDirectory()",
    "serviceWorker": "navigator.serviceWorker.controller.scriptURL",
    "eval": "eval('1')",
    "Function": "Function('return 1')()",
    "WebAssembly": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "open": "open('about:blank').name",
}

# How a script would send what it has read. ADDRESS is replaced.
SENDING = {
    "fetch": "await fetch('ADDRESS')",
    "fetch without CORS": "await fetch('ADDRESS', { mode: 'no-cors', keepalive: true })",
    "XMLHttpRequest": "await new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = yes; x.onerror = no;"
    " x.open('GET', 'ADDRESS'); x.send(); })",
    "WebSocket": "await new Promise((yes, no) => { const s = new WebSocket('ADDRESS'.replace('http', 'ws')); s.onopen = yes; s.onerror = no; })",
    "EventSource": "await new Promise((yes, no) => { const s = new EventSource('ADDRESS'); s.onopen = yes; s.onerror = no; })",
    "WebTransport": "await new WebTransport('ADDRESS'.replace('http:', 'https:')).ready",
    "importScripts": "importScripts('ADDRESS')",
    "import": "await import('ADDRESS')",
    "Worker": "await new Promise((yes, no) => { const w = new Worker('ADDRESS'); w.onmessage = yes; w.onerror = no; })",
    "a worker of its own": "await new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob([\"fetch('ADDRESS')"
    ".then(() => postMessage(true), () => postMessage(false))\"]))); w.onmessage = ({ data }) => (data ? yes() : no(1)); w.onerror = no; })",
    "FontFace": "await new FontFace('F', 'url(ADDRESS)').load()",
    "sendBeacon": "if (!navigator.sendBeacon('ADDRESS', 'x')) throw 1",
    "Request": "await fetch(new Request('ADDRESS', { method: 'POST', body: 'x', mode: 'no-cors' }))",
}


def attempts(tried, address=""):
    """A script that tries each, and writes the name of those that succeed."""
    # One that is never told that it has failed is not waited for.
    attempt = "try { await Promise.race([(async () => { %s; })(), new Promise((_, no) => setTimeout(no, 100))]); console.log('reached: ' + %s); } catch {}"
    return "\n".join(attempt % (code.replace("ADDRESS", address), json.dumps(name)) for name, code in tried.items()) + "\nconsole.log('all tried');"


class Listener:
    """A port on which nothing may arrive."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        self.socket.setblocking(False)

    def was_asked(self):
        try:
            self.socket.accept()
            return True
        except BlockingIOError:
            return False


class ScriptTestCase(ToolTestCase):
    def script(self, kind, text):
        self.click("#tab-scripts")
        self.click(f"#script-choose-{kind}")
        if text != "":
            return self.write(f"script-{kind}", text)
        self.find(f"#script-{kind} .cm-content").click()
        self.press(Keys.CONTROL, "a")
        self.press(Keys.DELETE)

    def request(self, text="{ __typename }", before=None, after=None):
        self.driver.execute_script(RECORD)
        self.write("query", text)
        for kind, script in (("before", before), ("after", after)):
            if script is not None:
                self.script(kind, script)

    def run_it(self):
        self.press(Keys.CONTROL, Keys.ENTER)

    def lines(self):
        return [line.text for line in self.all("#script-lines li")]

    def wait_for_line(self, text):
        self.wait_for("#script-lines li", text)

    def sent(self):
        return self.driver.execute_script("return window.sent")

    def frames(self):
        return len(self.all("iframe"))

    def importing(self, files):
        self.click("#tab-history")
        self.driver.execute_script("document.getElementById('saved-files').hidden = false")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                pathlib.Path(folder, name).write_text(text)
            self.find("#saved-files").send_keys("\n".join(str(pathlib.Path(folder, name)) for name in files))
            self.wait_until(lambda: "import" in self.find("#toast").text or "not a manifest" in self.find("#toast").text)
        self.driver.execute_script("document.getElementById('saved-files').hidden = true")

    def save(self, name):
        self.press(Keys.CONTROL, "s")
        self.wait_until(lambda: self.find("#ask").is_displayed())
        self.find("#ask-name").clear()
        self.find("#ask-name").send_keys(name, Keys.ENTER)
        self.wait_for("#toast", f"Saved as {name}.")


class Scripts(ScriptTestCase):
    def test_change_the_request_and_the_environment(self):
        query = "query ($first: Int) { family { chores(first: $first) { nodes { name } } } }"
        self.request(
            query,
            before="environment.count = (environment.count ?? 0) + 1;\n"
            "request.headers['X-Hash'] = await sha256(request.query);\n"
            "request.headers['X-Signature'] = await hmac('key', `${request.query}`);\n"
            "request.variables.first = 1;\n"
            "console.log('run', environment.count, { first: request.variables.first });",
            after="environment.chore = response.body.data.family.chores.nodes[0].name;\n"
            "console.log(response.status, response.headers['content-type']);",
        )
        self.sign_in()
        self.click("#tab-headers")
        self.write("headers", '{"X-Count": "{{count}}"}')
        self.run_it()
        self.wait_for("#status", "200")
        self.wait_for_line("application/graphql-response+json")
        self.assertEqual(self.lines()[0], 'before run 1 {"first":1}')
        self.assertTrue(self.lines()[1].startswith("after 200 application/graphql-response+json"))
        self.assertEqual(self.text("result").count('"name"'), 1)
        self.run_it()
        self.wait_for_line("run 2")
        self.wait_for_line("after 200")
        sent = [one for one in self.sent() if "x-count" in one]
        self.assertEqual([one["x-count"] for one in sent], ["1", "2"])
        self.assertEqual(sent[0]["x-hash"], hashlib.sha256(query.encode()).hexdigest())
        self.assertEqual(sent[0]["x-signature"], hmac.new(b"key", query.encode(), "sha256").hexdigest())
        self.click("#tab-environment")
        self.assertEqual(self.find("#environment option:checked").text, "Scripts")
        self.assertIn('"chore": ', self.text("environment-values"))
        # What is typed stays as it is, and scripts stay with their tab.
        self.assertEqual(self.text("variables"), "")
        self.assertEqual(self.find("#tab-scripts").text, "Scripts (2)")
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.wait_until(lambda: self.find("#tab-scripts").text == "Scripts")
        self.reload()
        self.wait_until(lambda: len(self.all("#tabs [role=tab]")) == 2)
        self.all("#tabs [role=tab]")[0].click()
        self.wait_until(lambda: self.find("#tab-scripts").text == "Scripts (2)")

    def test_problems_are_shown_at_their_line(self):
        self.request()
        self.click("#tab-variables")
        for script, line, message in [
            ("const one = 1;\none.two.three();", 2, "Cannot read properties of undefined (reading 'three')"),
            ("const one = 1;\n\nthrow new Error('No ' + one);", 3, "No 1"),
            ("const = 1;", 1, "Unexpected token"),
            ("if (true) {\n", 2, "Unexpected end of input"),
            ("request = {};", 1, "Cannot assign to read only property 'request'"),
            ("response.status;", 1, "response is not defined"),
            ("let a;\nawait hmac('', 'a');", 2, "key"),
        ]:
            with self.subTest(script):
                self.script("before", script)
                self.script("after", "")
                self.run_it()
                self.wait_for("#status", f"Not sent: the script before the request failed on line {line}: ")
                self.assertIn(message, self.find("#status").text)
                self.wait_for("#script-error", f"Line {line}: ")
                self.assertTrue(self.find("#script-before").is_displayed())
        self.assertIsNotNone(self.find("#script-before .fault-mark"))
        self.screenshot("script-problem")
        for script, message in [
            ("request.query = 7;", "request.query must be a string"),
            ("request.variables = null;", "request.variables must be an object"),
            ("request.headers['X-A'] = 7;", "the header X-A must be a string"),
            ("request.headers['X A'] = 'a';", "A header has an invalid name or value."),
            ("request.headers['X-A'] = '{{nothing}}';", "There is no value named nothing"),
            ("environment.self = environment;", "circular"),
            ("environment.a = 'a'.repeat(1e6);", "more than a million characters"),
        ]:
            with self.subTest(script):
                self.script("before", script)
                self.run_it()
                self.wait_for("#status", message)
        self.assertEqual(self.sent(), [])
        # One that fails after the response leaves the response.
        self.script("before", "")
        self.script("after", "console.log('here');\nnothing();")
        self.click("#tab-variables")
        self.run_it()
        self.wait_for("#script-lines .error", "The script after the response failed on line 2: nothing is not defined.")
        self.wait_for("#script-error", "Line 2: nothing is not defined")
        self.assertIn("200", self.find("#status").text)
        self.assertIn('"__typename"', self.text("result"))
        self.assertEqual(self.frames(), 0)

    def test_one_that_does_not_end_is_stopped(self):
        self.request()
        for script in ("console.log('begun');\nwhile (true) {}", "await new Promise(() => {});"):
            with self.subTest(script):
                self.script("before", script)
                self.run_it()
                self.wait_for("#status", "Not sent: the script before the request did not end within 2 seconds, and was stopped.")
                self.assertEqual(self.frames(), 0)
        self.script("before", "console.log('begun');\nawait new Promise(() => {});")
        self.run_it()
        self.wait_for_line("begun")
        self.assertEqual(self.frames(), 1)
        # Messages of anybody else are not its outcome.
        self.driver.execute_script("postMessage({ outcome: JSON.stringify({ request: { query: '{ a }', variables: {}, headers: {} }, environment: {} }) }, '*')")
        self.driver.execute_script("postMessage({ line: 'of somebody else' }, '*')")
        self.driver.execute_async_script("setTimeout(arguments[0])")
        self.assertEqual(self.lines(), ["before begun"])
        self.run_it()
        self.wait_for("#status", "Stopped.")
        self.assertEqual(self.frames(), 0)
        self.assertEqual(self.sent(), [])
        # Lines are limited, and the page stays usable.
        self.script("before", "for (let i = 0; i < 5000; i += 1) console.log(i, 'x'.repeat(5000));")
        self.run_it()
        self.wait_for("#status", "200")
        self.assertEqual(len(self.lines()), 100)
        self.assertTrue(all(len(line) < 2100 for line in self.lines()))

    def test_a_query_as_two_people_has_its_script(self):
        self.sign_in()
        self.request(before="request.query = '{ kind: __typename }';")
        self.click("#compare-open")
        self.wait_for("#compare-rows", '"kind": "Query"')
        self.click("#compare-close")
        self.script("before", "request.query = 'mutation { signOut { __typename } }';")
        self.click("#compare-open")
        self.wait_for("#compare-state", "Only a query can be run as two people")
        self.click("#compare-close")
        self.wait_for("#session-state", "Signed in: ")

    def test_a_subscription_has_its_script(self):
        self.sign_in()
        self.request("{ __typename }", before="request.query = 'subscription { familyChanged { __typename } }';")
        self.run_it()
        self.wait_for("#status", "Listening")
        self.run_it()
        self.wait_for("#status", "Stopped")


class Escapes(ScriptTestCase):
    # What the browser says of each attempt.
    expected_errors = ("Content Security Policy", "violates", "Refused to", "blob:null")

    def test_reach_nothing_of_the_page(self):
        self.sign_in()
        token = json.loads(self.driver.execute_script("return sessionStorage.getItem('hearth.session')"))["accessToken"]
        self.driver.execute_script("document.cookie = 'of=the-page'; localStorage.setItem('of', 'the-page'); window.name = 'the-page'")
        everything = "console.log(JSON.stringify([globalThis.request, globalThis.response, environment, location.href, origin, self.name]));"
        self.request("{ family { name } }", before=attempts(UNREACHABLE) + everything, after=attempts(UNREACHABLE) + everything)
        self.run_it()
        self.wait_for_line("after [")
        self.wait_for("#status", "200")
        found = "\n".join(self.lines())
        self.assertEqual(found.count("all tried"), 2)
        self.assertNotIn("reached", found)
        self.assertNotIn("the-page", found)
        self.assertNotIn(token, found)
        self.assertIn("blob:null/", found)

    def test_send_nothing(self):
        listener = Listener()
        self.addCleanup(listener.socket.close)
        names = list(SENDING)
        for address in (listener.address, self.url):
            for half in (names[::2], names[1::2]):
                with self.subTest(f"{half} {address}"):
                    self.request("{ __typename }", before=attempts({name: SENDING[name] for name in half}, address))
                    self.run_it()
                    self.wait_for_line("all tried")
                    self.assertEqual(self.lines(), ["before all tried"])
                    self.press(Keys.ALT, Keys.SHIFT, "t")
        self.assertFalse(listener.was_asked())

    def test_the_frame_has_its_own_origin_and_policy(self):
        self.driver.get(f"{self.url}/playground/script-frame.html")
        self.assertEqual(self.driver.execute_script("return origin"), "null")
        with self.assertRaises(Exception):
            self.driver.execute_script("return localStorage.length")
        sent = "fetch('/graphql/schema.graphql').then(() => arguments[0]('sent'), () => arguments[0]('not sent'))"
        self.assertEqual(self.driver.execute_async_script(sent), "not sent")
        # The violation that this has caused.
        self.driver.get("about:blank")


class Shared(ScriptTestCase):
    def manifest(self, *operations):
        return json.dumps({"operations": list(operations)})

    def test_are_saved_and_exported_as_trusted_documents(self):
        self.request("query Kind { __typename }", before="console.log('mine');")
        self.save("Kind")
        self.run_it()
        self.wait_for_line("mine")
        with Downloads(self) as downloaded:
            self.click("#saved-export")
            manifest = downloaded("documents.json")
        expected = {"id": "My requests/Kind", "name": "My requests/Kind", "body": "query Kind { __typename }",
                    "scripts": {"before": "console.log('mine');", "after": ""}}
        self.assertEqual(json.loads(manifest), {"operations": [expected]})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(manifest)
            file.flush()
            server = DemoServer(os.environ["HEARTH_PROGRAM"])
            self.addCleanup(server.close)
            self.assertTrue(server.start(0, HEARTH_TRUSTED_DOCUMENTS=file.name, HEARTH_ACCEPTED_DOCUMENTS="trusted"))
        # Opened again, the user's own runs at once.
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.click("#saved button", "Kind")
        self.run_it()
        self.wait_for_line("mine")
        # The address of a request has none.
        self.click("#share")
        self.wait_for("#toast", "Address, without the scripts, copied.")

    def test_imported_ones_run_only_when_they_were_allowed(self):
        before = "console.log('theirs');\nrequest.query = '{ changed: __typename }';"
        self.importing({"documents.json": self.manifest({"name": "Team/Kind", "body": "{ __typename }", "scripts": {"before": before}})})
        self.wait_for("#toast", "1 request imported. Their scripts run only after you have read and allowed them.")
        self.wait_for("#saved small", "with imported scripts, not yet allowed")
        self.driver.execute_script(RECORD)
        self.click("#saved button", "Kind")
        self.click("#tab-scripts")
        self.assertTrue(self.find("#script-imported").is_displayed())
        for refuse in (Keys.ENTER, Keys.ESCAPE):
            self.find("#query .cm-content").click()
            self.run_it()
            self.wait_until(lambda: self.find("#allow").is_displayed())
            self.assertEqual(self.find("#allow-before-text").text, before)
            self.assertFalse(self.find("#allow-after").is_displayed())
            self.assertEqual(self.focused().text, "Do not run")
            self.type(refuse)
            self.wait_for("#status", "Not sent: its imported scripts are not allowed.")
        self.assertEqual((self.sent(), self.frames(), self.lines()), ([], 0, []))
        # Changed, kept, copied into another tab or loaded again, it is still theirs.
        self.script("before", before + "// mine")
        self.command("duplicate tab")
        self.reload()
        self.wait_until(lambda: len(self.all("#tabs [role=tab]")) >= 2)
        self.driver.execute_script(RECORD)
        self.run_it()
        self.wait_until(lambda: self.find("#allow").is_displayed())
        self.assertIn("// mine", self.find("#allow-before-text").text)
        self.type(Keys.ESCAPE)
        self.save("Copy")
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.click("#tab-history")
        self.click("#saved button", "Copy")
        self.run_it()
        self.wait_until(lambda: self.find("#allow").is_displayed())
        self.click("#allow button", "Allow and run")
        self.wait_for("#result", '"changed": "Query"')
        self.assertEqual(self.lines(), ["before theirs"])
        self.assertFalse(self.find("#script-imported").is_displayed())
        self.wait_until(lambda: [one.text for one in self.all("#saved small")].count("with scripts") == 1)
        # Allowed once, it is not asked about again.
        self.run_it()
        self.wait_until(lambda: self.find("#status").text.startswith("200"))
        self.assertFalse(self.find("#allow").is_displayed())

    def test_a_hostile_file_runs_nothing_and_hides_nothing(self):
        hidden = "console.log('seen');" + "\n" * 300 + " " * 3000 + "console.log('hid\u202eden');\u2028//</pre><img src=x onerror=alert(1)>"
        operation = {
            "id": "x", "name": "Team/<b>Kind", "body": "{ __typename }", "isImported": False, "isAllowed": True,
            "before": "console.log('not a script')", "scripts": {"before": "", "after": hidden, "isImported": False},
            "__proto__": {"isImported": False},
        }
        self.importing({
            "documents.json": self.manifest(operation, {"name": "Wrong/One", "body": "{ __typename }", "scripts": {"before": {"a": 1}}}),
            "long.json": self.manifest({"name": "Wrong/Long", "body": "{ __typename }", "scripts": {"before": "/" * 200_000}}),
        })
        self.wait_for("#toast", "3 requests imported.")
        self.assertEqual(len(self.all("#saved small")), 1)
        self.click("#saved button", "<b>Kind")
        self.run_it()
        self.wait_until(lambda: self.find("#allow").is_displayed())
        shown = self.driver.execute_script("return document.getElementById('allow-after-text').textContent")
        self.assertIn("hid\\u{202e}den", shown)
        self.assertIn("\\u{2028}", shown)
        self.assertFalse(self.find("#allow-before").is_displayed())
        self.assertEqual(self.all("#allow img"), [])
        # All of it can be scrolled into sight.
        self.assertTrue(self.driver.execute_script(
            "const text = document.getElementById('allow-after-text'); text.scrollTop = 1e9;"
            "return text.scrollWidth <= text.clientWidth && text.scrollTop + text.clientHeight >= text.scrollHeight - 1"
        ))
        self.type(Keys.ESCAPE)
        self.wait_for("#status", "Not sent")
        # Stored by another window without a mark, scripts count as imported.
        self.driver.execute_script(
            "localStorage.setItem('hearth.saved', JSON.stringify([{name: 'N', collection: 'C', query: '{ __typename }', before: 'x()'}]))"
        )
        self.reload()
        self.click("#tab-history")
        self.wait_for("#saved small", "not yet allowed")

    def test_hold_no_secret(self):
        self.request(before='request.headers.Authorization = "Bearer abcdef123456";')
        self.press(Keys.CONTROL, "s")
        self.wait_for("#toast", "A script contains a password or a token")
        self.reload()
        self.assertNotIn("abcdef123456", self.driver.execute_script("return JSON.stringify({...localStorage, ...sessionStorage})"))
        self.request(before="request.headers.Authorization = `Bearer ${environment.token}`; environment.token = 'Bearer ' + 1;")
        self.save("Signed")


class Looks(ScriptTestCase):
    def test_fit_and_are_accessible(self):
        self.importing({"documents.json": self.manifest_of_two()})
        self.click("#saved button", "Kind")
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            for width in (1440, 1024, 390):
                self.size((width, 844) if width < 500 else (width, 900))
                self.click("#tab-scripts")
                if self.find("#script-about-toggle").get_attribute("aria-expanded") == "false":
                    self.click("#script-about-toggle")
                self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), width)
                self.driver.execute_script("document.getElementById('scripts-panel').scrollIntoView({ block: 'center' })")
                self.screenshot(f"scripts-{scheme}-{width}")
                self.check(f"scripts {scheme} {width}")
                self.click("#run")
                self.wait_until(lambda: self.find("#allow").is_displayed())
                self.screenshot(f"scripts-allow-{scheme}-{width}")
                self.check(f"scripts allow {scheme} {width}")
                self.type(Keys.ESCAPE)
        self.size((1440, 900))
        self.click("#run")
        self.click("#allow button", "Allow and run")
        self.wait_for("#script-lines .error")
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.screenshot(f"scripts-log-{scheme}")
            self.check(f"scripts log {scheme}")
        self.size(PHONE)
        self.screenshot("scripts-log-phone")
        self.size((1440, 900))

    def manifest_of_two(self):
        before = "// Signs the request.\nconst secret = environment.key ?? 'none';\nrequest.headers['X-Time'] = `${Date.now()}`;\nconsole.log(\"Signed at\", request.headers['X-Time']);"
        after = "environment.kind = response.body.data.__typename;\nconsole.log(environment);\nnothing();"
        operation = {"name": "Team/Kind", "body": "query Kind { __typename }", "scripts": {"before": before, "after": after}}
        return json.dumps({"operations": [operation]})

    def test_work_by_keyboard(self):
        self.request("{ __typename }")
        self.command("show scripts")
        self.find("#tab-scripts").send_keys(Keys.TAB)
        self.assertEqual(self.focused().get_attribute("id"), "script-choose-before")
        self.type(Keys.ARROW_RIGHT)
        self.assertTrue(self.find("#script-after").is_displayed())
        self.assertFalse(self.find("#script-before").is_displayed())
        self.type(Keys.TAB)
        self.assertEqual(self.focused().get_attribute("id"), "script-about-toggle")
        self.type(Keys.ENTER)
        self.assertFalse(self.find("#script-about").is_displayed())
        self.type(Keys.TAB)
        self.assertEqual(self.focused().get_attribute("aria-label"), "The script after the response")
        self.type("console.log(")
        self.type("1")
        self.run_it()
        self.wait_for_line("after 1")
        self.assertEqual(self.find("#script-log").get_attribute("role"), "log")


if __name__ == "__main__":
    import unittest

    unittest.main()
