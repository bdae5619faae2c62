"""How requests are sent and responses arrive: in parts, by event stream, and with several files."""

import json
import pathlib
import tempfile

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PlaygroundTestCase
from test_live import SILENCE, LiveTestCase

DOCUMENT = "{ family { name children%s { name%s } } }"

# Instead of the server: `part` delivers a part, and `end` ends the response.
PARTS = """
const send = window.fetch;
window.fetch = async (address, options) => {
  if (!new Headers(options?.headers).get("Accept")?.includes("multipart/mixed")) return send(address, options);
  const body = new ReadableStream({ start: (controller) => { window.stream = controller; } });
  options.signal.addEventListener("abort", () => window.stream.error(options.signal.reason));
  const encoded = (text) => new TextEncoder().encode(text);
  window.part = (value) => window.stream.enqueue(encoded(`\\r\\nContent-Type: application/json\\r\\n\\r\\n${JSON.stringify(value)}\\r\\n---`));
  window.end = () => { window.stream.enqueue(encoded("--\\r\\n")); window.stream.close(); };
  window.stream.enqueue(encoded("\\r\\n---"));
  return new Response(body, { headers: { "Content-Type": 'multipart/mixed; boundary="-"' } });
};
"""

# Merges a multipart body that arrives byte by byte.
MERGE = """
const [body, done] = arguments;
import("/graphql/playground/parts.js").then(async ({ MergedResponse, readParts }) => {
  const bytes = [...new TextEncoder().encode(body)].map((byte) => Uint8Array.of(byte));
  const stream = new ReadableStream({ pull: (controller) => (bytes.length > 0 ? controller.enqueue(bytes.shift()) : controller.close()) });
  const merged = new MergedResponse();
  const size = await readParts(new Response(stream, { headers: { "Content-Type": "multipart/mixed; boundary=x-y" } }), (part) => merged.add(part));
  done({ size, body: merged.body, count: merged.count, isComplete: merged.isComplete });
}).catch((error) => done(String(error)));
"""

# Records the forms that the page sends.
FORMS = """
const send = window.fetch;
window.fetch = (address, options) => {
  if (options?.body instanceof FormData) {
    window.form = [...options.body].map(([name, value]) => [name, value instanceof File ? value.name : JSON.parse(value)]);
  }
  return send(address, options);
};
"""


# Instead of the server: each connection receives the next of the replies. The positions that the page sends are recorded.
STREAMS = """
const [replies] = arguments;
const send = window.fetch;
window.positions = [];
window.fetch = async (address, options) => {
  if (!new Headers(options?.headers).get("Accept")?.startsWith("text/event-stream")) return send(address, options);
  window.positions.push(JSON.parse(options.body).extensions?.position ?? null);
  return new Response(replies.shift(), { headers: { "Content-Type": "text/event-stream" } });
};
"""
SOCKETS = """
const [replies] = arguments;
window.positions = [];
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    super();
    setTimeout(() => this.dispatchEvent(new Event("open")));
  }
  tell(message) { this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) })); }
  send(text) {
    const { type, id, payload } = JSON.parse(text);
    if (type === "connection_init") this.tell({ type: "connection_ack", payload: { position: "1" } });
    if (type !== "subscribe" || id !== "events") return;
    window.positions.push(payload.extensions?.position ?? null);
    for (const message of replies.shift()) this.tell({ id, ...message });
  }
  close() {}
};
"""


def failure(code, **members):
    """A response of a server that is not available at the moment."""
    return {"errors": [{"message": "Try again later.", "extensions": {"code": code, **members}}]}


class Parts(PlaygroundTestCase):
    def run_query(self, document):
        self.write("query", document)
        self.press(Keys.CONTROL, Keys.ENTER)

    def part(self, value):
        self.driver.execute_script("window.part(arguments[0])", value)

    def test_merges_the_parts_of_a_response(self):
        self.sign_in()
        self.run_query(DOCUMENT % (" @stream(initialCount: 1)", " ... @defer { points }"))
        self.wait_for("#status", "200 · 4 parts")
        merged = json.loads(self.text("result"))
        self.run_query(DOCUMENT % ("", " points"))
        self.wait_until(lambda: "part" not in self.find("#status").text and "200" in self.find("#status").text)
        self.assertEqual(merged, json.loads(self.text("result")))
        self.assertEqual(len(merged["data"]["family"]["children"]), 3)

    def test_shows_parts_as_they_arrive(self):
        self.driver.execute_script(PARTS)
        self.run_query("{ family { name ... @defer { children { name } } } }")
        self.wait_until(lambda: self.driver.execute_script("return window.part !== undefined"))
        self.part({"data": {"family": {"name": "F"}}, "pending": [{"id": "0", "path": ["family"]}], "hasNext": True})
        self.wait_for("#status", "Receiving… · 1 part")
        self.assertEqual(json.loads(self.text("result")), {"data": {"family": {"name": "F"}}})
        self.assertEqual(self.find("#run").text, "■ Stop")
        self.screenshot("parts")
        self.check("parts")
        self.part({"incremental": [{"id": "0", "data": {"children": []}}], "completed": [{"id": "0"}], "hasNext": False})
        self.driver.execute_script("window.end()")
        self.wait_for("#status", "200 · 2 parts")
        self.assertEqual(json.loads(self.text("result")), {"data": {"family": {"name": "F", "children": []}}})
        self.assertEqual(self.find("#run").text, "▶ Run")

    def test_keeps_what_has_arrived(self):
        """When it is stopped, and when the connection breaks."""
        for end, status in [(None, "Stopped · 1 part"), ("window.end()", "The connection broke after 1 part.")]:
            with self.subTest(status):
                self.driver.execute_script("delete window.part;" + PARTS)
                self.run_query("{ a: __typename ... @defer { viewer { __typename } } }")
                self.wait_until(lambda: self.driver.execute_script("return window.part !== undefined"))
                self.part({"data": {"a": "Query"}, "pending": [{"id": "0", "path": []}], "hasNext": True})
                self.wait_for("#status", "Receiving… · 1 part")
                if end is None:
                    self.press(Keys.CONTROL, Keys.ENTER)
                else:
                    self.driver.execute_script(end)
                self.wait_for("#status", status)
                self.assertEqual(json.loads(self.text("result")), {"data": {"a": "Query"}})
                self.assertEqual(self.find("#run").text, "▶ Run")

    def test_merges_by_path_wherever_the_chunks_end(self):
        parts = [
            {"data": {"a": {"b": [{"c": 1}], "é": None}}, "pending": [{"id": "0", "path": ["a"]}, {"id": "1", "path": ["a", "b"]}], "hasNext": True},
            {"incremental": [{"id": "1", "items": [{"c": 2}, {"c": 3}]}], "completed": [{"id": "1"}], "hasNext": True},
            {
                "incremental": [{"id": "0", "subPath": ["b", 1], "data": {"d": "x"}}, {"id": "0", "data": {"b": [{"e": 5}], "f": {"g": 1}}}],
                "completed": [{"id": "0", "errors": [{"message": "later"}]}], "hasNext": False,
            },
        ]
        texts = "".join(f"--x-y\r\nContent-Type: application/json\r\n\r\n{json.dumps(part, ensure_ascii=False)}\r\n" for part in parts)
        body = f"{texts}--x-y--\r\n"
        merged = {
            "data": {"a": {"b": [{"c": 1, "e": 5}, {"c": 2, "d": "x"}, {"c": 3}], "é": None, "f": {"g": 1}}},
            "errors": [{"message": "later"}],
        }
        expected = {"size": len(body.encode()), "body": merged, "count": 3, "isComplete": True}
        self.assertEqual(self.driver.execute_async_script(MERGE, body), expected)


class EventStreams(LiveTestCase):
    def choose(self, name):
        self.click("#connection label", name)

    def test_offers_the_choice_for_subscriptions_only(self):
        self.write("query", "{ __typename }")
        self.assertFalse(self.find("#connection").is_displayed())
        self.write("query", "subscription { familyChanged { __typename } }")
        self.wait_until(lambda: self.find("#connection").is_displayed())
        self.find("#over-web-socket").send_keys(Keys.ARROW_RIGHT)
        self.assertTrue(self.find("#over-event-stream").is_selected())
        self.screenshot("event-stream")
        self.check("choice of the connection")
        self.reload()
        self.wait_until(lambda: self.find("#over-event-stream").is_selected() and self.find("#connection").is_displayed())

    def test_follows_the_family_through_a_restart(self):
        self.open_example()
        self.choose("Event stream")
        self.listen()
        self.follow_through_a_restart()
        sockets = [url for url in self.requested() if url.startswith("ws")]
        self.assertEqual(sockets, [])

    def test_resumes_after_a_silence(self):
        self.driver.execute_script(SILENCE)
        self.open_example()
        self.choose("Event stream")
        self.listen()
        self.follow_through_a_silence()

    def test_resumes_over_the_other_connection(self):
        self.open_example()
        self.listen()
        self.server.add_item(self.url, "By socket")
        self.wait_for_events(1)
        # While it runs.
        self.choose("Event stream")
        self.wait_until(lambda: self.notes() == ["Connected", "Stopped", "Connected"])
        self.server.add_item(self.url, "By stream")
        self.wait_for_events(2)
        # And while it is stopped.
        self.find("#query .cm-content").click()
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Stopped · 2 events")
        self.choose("WebSocket")
        self.server.add_item(self.url, "Meanwhile")
        self.click("#resume")
        self.wait_for_events(3)
        self.assertEqual(self.items(), ["By socket", "By stream", "Meanwhile"])

    def test_sends_the_headers_and_shows_errors(self):
        self.write("query", "subscription { familyChanged { __typename } }")
        self.choose("Event stream")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "The server rejected the subscription.")
        self.wait_for("#errors li", "UNAUTHENTICATED")
        self.click("#tab-headers")
        self.write("headers", '{"authorization": "Bearer nonsense"}')
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#errors li", "TOKEN_MALFORMED")


class Interruptions(PlaygroundTestCase):
    """Errors after which a subscription goes on."""

    def listen(self, script, replies):
        self.driver.execute_script(script, replies)
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "The server responded with RATE_LIMITED; trying again in 2 s.")
        self.wait_for("#status", "The subscription has ended. · 2 events")
        notes = [note.text.split(maxsplit=1)[-1] for note in self.all("#events .note")]
        self.assertEqual(sum("Connection lost" in note for note in notes), 1, notes)
        # What could not be delivered is requested again.
        self.assertEqual(self.driver.execute_script("return window.positions"), [None, "2", "2", "2"])
        self.assertEqual(self.all("#errors li"), [])

    def test_an_event_stream_goes_on_after_errors_that_pass(self):
        def event(payload, position):
            return f"id: {position}\nevent: next\ndata: {json.dumps(payload)}\n\n"

        self.write("query", "subscription { familyChanged { __typename } }")
        self.click("#connection label", "Event stream")
        complete = "event: complete\ndata:\n\n"
        unavailable = {"data": None, **failure("STORAGE_UNAVAILABLE")}
        self.listen(STREAMS, [
            "id: 1\n\n" + event({"data": {"number": 1}}, "2") + event(unavailable, "3") + complete,
            f"event: next\ndata: {json.dumps(failure('RATE_LIMITED', retryAfter=2))}\n\n{complete}",
            f"event: next\ndata: {json.dumps(failure('EVENTS_TOO_FAST'))}\n\n{complete}",
            "id: 2\n\n" + event({"data": {"number": 2}}, "3") + complete,
        ])

    def test_a_web_socket_goes_on_after_errors_that_pass(self):
        def event(payload, position):
            return {"type": "next", "payload": {**payload, "extensions": {"position": position}}}

        self.write("query", "subscription { familyChanged { __typename } }")
        unavailable = {"data": None, **failure("STORAGE_UNAVAILABLE")}
        self.listen(SOCKETS, [
            [event({"data": {"number": 1}}, "2"), event(unavailable, "3")],
            [{"type": "error", "payload": failure("RATE_LIMITED", retryAfter=2)["errors"]}],
            [{"type": "error", "payload": failure("EVENTS_TOO_FAST")["errors"]}],
            [event({"data": {"number": 2}}, "3"), {"type": "complete"}],
        ])

    def test_without_positions_it_ends_when_events_were_too_fast(self):
        self.write("query", "subscription { familyChanged { __typename } }")
        self.click("#connection label", "Event stream")
        reply = f"id:\n\nevent: next\ndata: {json.dumps(failure('EVENTS_TOO_FAST'))}\n\n"
        self.driver.execute_script(STREAMS, [reply])
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Events are missing: run it again.")
        self.assertEqual(self.driver.execute_script("return window.positions"), [None])


class SeveralFiles(PlaygroundTestCase):
    def test_sends_several_files_for_a_list(self):
        self.driver.execute_script(FORMS)
        self.write("query", "query ($files: [Upload!]!, $one: Upload) { __typename }")
        self.write("variables", "{}")
        self.click("#tab-files")
        self.wait_for("#files label", "files (several files)")
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, name) for name in ("a.txt", "b.txt", "c.txt")]
            for path in paths:
                path.write_text(path.name)
            several, one = self.all("#files input")
            self.assertEqual([field.get_attribute("multiple") for field in (several, one)], ["true", None])
            several.send_keys("\n".join(map(str, paths[:2])))
            one.send_keys(str(paths[2]))
            self.wait_for("#files-count", "(3)")
            self.check("several files")
            Select(self.find("#copy-as")).select_by_visible_text("curl")
            self.wait_for("#toast", "curl copied.")
            copied = self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
            for place, path in enumerate(paths):
                self.assertIn(f"{place}=@\"{path.name}\"", copied)
            self.click("#run")
            # The server has put the files where they belong, and goes on to validate the document, which does not use them.
            self.wait_for("#errors li", 'Variable "$files" is never used')
        form = dict(self.driver.execute_script("return window.form"))
        self.assertEqual(form["operations"]["variables"], {"files": [None, None], "one": None})
        self.assertEqual(form["map"], {"0": ["variables.files.0"], "1": ["variables.files.1"], "2": ["variables.one"]})
        self.assertEqual([form[key] for key in "012"], [path.name for path in paths])


if __name__ == "__main__":
    import unittest

    unittest.main()
