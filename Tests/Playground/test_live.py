"""A subscription in the page, over a server that is stopped and started again."""

import os
import pathlib
import signal
import sys
import unittest

from selenium.webdriver.common.keys import Keys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Live"))

from browser import PlaygroundTestCase  # noqa: E402: that is where the next one is
from hearth import DemoServer  # noqa: E402


# Instead of after each period of silence, its timer runs when the test calls it. Counts the pongs of WebSockets.
SILENCE = """
window.pongs = 0;
window.periods = [];
const repeat = window.setInterval.bind(window);
window.setInterval = (act, delay) => (delay < 30_000 ? repeat(act, delay) : -window.periods.push(act));
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("message", ({ data }) => { if (data.includes('"pong"')) window.pongs += 1; });
  }
};
"""


class LiveTestCase(PlaygroundTestCase):
    """With a server of its own, which is stopped and started."""

    # While the server is away.
    expected_errors = ("WebSocket connection to", "ERR_CONNECTION_REFUSED")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = DemoServer(os.environ["HEARTH_PROGRAM"])
        cls.addClassCleanup(cls.server.close)
        cls.url = cls.server.start()

    def follow_through_a_restart(self):
        self.server.add_item(self.url, "Before")
        self.wait_for_events(1)
        self.server.end()
        self.wait_for("#events .note", "Connection lost")
        self.wait_for("#status", "1 event")
        with self.server.elsewhere() as address:
            self.server.add_item(address, "Meanwhile")
        self.server.start()
        self.wait_for_events(2)
        self.wait_for("#status", "Listening · 2 events")
        self.server.add_item(self.url, "After")
        self.wait_for_events(3)
        self.assertEqual(self.notes(), ["Connected", "Connection lost", "Connected"])
        self.assertEqual(self.items(), ["Before", "Meanwhile", "After"])

    def follow_through_a_silence(self):
        """The server is halted: it sends nothing, and its connections stay open."""
        self.server.add_item(self.url, "Before")
        self.wait_for_events(1)
        self.addCleanup(self.server.process.send_signal, signal.SIGCONT)
        self.server.process.send_signal(signal.SIGSTOP)
        self.driver.execute_script("periods.at(-1)(); periods.at(-1)()")
        self.wait_for("#events .note", "Connection lost")
        self.server.process.send_signal(signal.SIGCONT)
        self.server.add_item(self.url, "After")
        self.wait_for_events(2)
        self.wait_for("#status", "Listening · 2 events")
        self.assertEqual(self.notes(), ["Connected", "Connection lost", "Connected"])
        self.assertEqual(self.items(), ["Before", "After"])

    def open_example(self):
        self.sign_in()
        self.click("#tab-examples")
        self.click("#examples button", "Follow the family")
        self.wait_until(lambda: "familyChanged" in self.text("query"))

    def listen(self):
        self.find("#query .cm-content").click()
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Listening")

    def wait_for_events(self, count):
        self.wait_until(lambda: len(self.all("#events button")) == count, f"no {count} events")

    def notes(self):
        """The oldest first, without their time."""
        texts = "return Array.from(document.querySelectorAll('#events .note'), (note) => note.lastChild.textContent.trim())"
        return self.driver.execute_script(texts)[::-1]

    def items(self):
        """The contents of the events, selected one after the other."""
        names = []
        for button in reversed(self.all("#events button")):
            button.click()
            self.assertEqual(button.get_attribute("aria-current"), "true")
            names.append(self.text("result").split('"name": "')[1].split('"')[0])
        return names


class Live(LiveTestCase):
    def follow(self):
        self.open_example()
        self.listen()

    def test_follows_the_family_through_a_restart(self):
        self.follow()
        self.follow_through_a_restart()
        self.screenshot("live")

    def test_resumes_after_a_silence(self):
        self.driver.execute_script(SILENCE)
        self.follow()
        self.follow_through_a_silence()

    def test_keeps_a_connection_on_which_nothing_happens(self):
        self.driver.execute_script(SILENCE)
        self.follow()
        # The first pong came when the subscription had begun.
        for count in range(2, 5):
            self.driver.execute_script("periods.at(-1)()")
            self.wait_until(lambda: self.driver.execute_script("return pongs") == count)
        self.assertEqual(self.notes(), ["Connected"])
        self.assertEqual(self.driver.execute_script("return periods.length"), 1)

    def test_stops_and_resumes_by_keyboard(self):
        self.follow()
        self.server.add_item(self.url, "Heard")
        self.wait_for_events(1)
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Stopped · 1 event")
        self.server.add_item(self.url, "While it was stopped")
        self.find("#resume").send_keys(Keys.ENTER)
        self.wait_for_events(2)
        self.wait_for("#status", "Listening · 2 events")
        self.assertEqual(self.notes(), ["Connected", "Stopped", "Connected"])
        self.assertEqual(self.items(), ["Heard", "While it was stopped"])

    def test_listens_in_one_tab_while_another_asks(self):
        self.follow()
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.assertEqual((self.find("#status").text, self.find("#run").text), ("", "▶ Run"))
        self.assertEqual(len(self.all("#tabs .running")), 1)
        self.write("query", "{ __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.server.add_item(self.url, "Meanwhile")
        self.press(Keys.ALT, Keys.SHIFT, ",")
        self.wait_for_events(1)
        self.wait_for("#status", "Listening · 1 event")
        self.assertEqual(self.items(), ["Meanwhile"])

    def test_listens_as_the_headers_say(self):
        self.click("#tab-examples")
        self.click("#examples button", "Follow the family")
        self.click("#tab-headers")
        self.write("headers", '{"authorization": "Bearer nonsense"}')
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "TOKEN_MALFORMED")


if __name__ == "__main__":
    unittest.main()
