"""A headless Chromium on the playground, and what every test of it needs."""

import atexit
import contextlib
import functools
import importlib.resources
import json
import os
import pathlib
import unittest

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

URL = os.environ["HEARTH_URL"]
SCREENSHOTS = pathlib.Path(os.environ["HEARTH_SCREENSHOTS"])
AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text()
DESKTOP, PHONE = (1440, 900), (400, 860)

# Runs before the scripts of the page: policy violations are recorded for the test.
NOTE_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


# Records the headers and the bodies of the requests that the page runs, not of those that it validates.
RECORD = """
window.sent = [];
window.run = [];
const send = window.fetch;
window.fetch = (address, options) => {
  if (!String(address).endsWith("/validate") && options?.body?.includes?.('"trace":true')) {
    window.sent.push(Object.fromEntries(new Headers(options.headers)));
    window.run.push(JSON.parse(options.body));
  }
  return send(address, options);
};
"""

CLEAR_STORAGE = "if (location.protocol !== 'about:') { localStorage.clear(); sessionStorage.clear(); }"

# The first element that matches a selector and shows a text. One script, since a list can have hundreds of elements.
SHOWING = """
const [selector, text, isToBeClicked] = arguments;
const shows = (one) => (text === "" && !isToBeClicked)
  || (one.checkVisibility() && (one.innerText ?? one.textContent).includes(text) && !(isToBeClicked && one.disabled));
return [...document.querySelectorAll(selector)].find(shows) ?? null;
"""


@functools.cache
def browser():
    """One browser for all tests of the process."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    atexit.register(driver.quit)
    # On a busy machine axe-core takes more than the 30 seconds that are usual.
    driver.set_script_timeout(120)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE_VIOLATIONS})
    return driver


class PlaygroundTestCase(unittest.TestCase):
    """Each test starts with a fresh page in one browser that all of them share."""

    url = URL
    # Errors that the browser may log: a GraphQL request error has status 400.
    expected_errors = ("status of 400", "status of 422")

    @classmethod
    def setUpClass(cls):
        cls.driver = browser()

    def setUp(self):
        self.driver.execute_cdp_cmd(
            "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
        )
        self.size(DESKTOP)
        self.color_scheme("light")
        # Cleared when the previous page has ended, and before the scripts of this one.
        clearing = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLEAR_STORAGE})
        self.driver.get(self.url)
        self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", clearing)
        self.wait_for_page()

    def wait_for_page(self):
        self.wait_until(lambda: self.driver.execute_script("return document.documentElement.dataset.ready === 'true'"))

    def reload(self):
        """Loads the page again, and waits until it is ready: it does not notice what is clicked before."""
        self.driver.refresh()
        self.wait_for_page()

    def tearDown(self):
        """No test may leave an error behind, break the policy, or have made a request to anywhere else."""
        violations = self.driver.execute_script("return window.violations")
        # What the page still sends now is a part of this test.
        self.driver.get("about:blank")
        self.assertEqual(violations, [])
        severe = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual([text for text in severe if not any(part in text for part in self.expected_errors)], [])
        origin = self.url.removesuffix("/graphql")
        for url in self.requested():
            self.assertTrue(url.startswith((origin, "data:", "blob:", origin.replace("http", "ws"))), url)

    def requested(self):
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]

    # Looking

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, editor):
        """The lines of an editor that are in sight."""
        return self.driver.execute_script(
            "return document.querySelector(arguments[0] + ' .cm-placeholder') ? '' : Array.from("
            "document.querySelectorAll(arguments[0] + ' .cm-line'), (line) => line.textContent).join('\\n')",
            f"#{editor}",
        )

    def wait_until(self, condition, message=None):
        return WebDriverWait(self.driver, 60, poll_frequency=0.05, ignored_exceptions=(Exception,)).until(
            lambda _: condition(), message
        )

    def wait_for(self, selector, text=""):
        return self.wait_until(lambda: self.driver.execute_script(SHOWING, selector, text), f"no {text} in {selector}")

    def focused(self):
        return self.driver.switch_to.active_element

    # Doing

    def press(self, *keys):
        """Keys pressed together, as `press(Keys.CONTROL, "a")`."""
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    def type(self, text):
        """Each key by itself, into the element with the focus."""
        self.focused().send_keys(text)

    def click(self, selector, text=""):
        """Once it can be clicked: buttons are disabled while the page waits for the server."""
        self.wait_until(
            lambda: self.driver.execute_script(SHOWING, selector, text, True), f"no {text} to click in {selector}"
        ).click()

    def write(self, editor, text):
        """Replaces what an editor holds, as by pasting."""
        self.find(f"#{editor} .cm-content").click()
        self.press(Keys.CONTROL, "a")
        self.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def accept(self):
        """Accepts the selected completion. For the first 75 ms the list passes keys to the editor, because the user cannot have seen it."""
        self.driver.execute_async_script("setTimeout(arguments[0], 100)")
        self.press(Keys.ENTER)

    def sign_in(self, person="Ada"):
        self.click("#demo-people button", person)
        self.wait_for("#session-state", "Signed in: ")

    # How it is shown

    def size(self, size):
        width, height = size
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE},
        )

    def color_scheme(self, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )

    def screenshot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))

    def check(self, where):
        """By axe-core, whose rules know WCAG 2.1 AA: roles, names, contrast, and more."""
        if self.driver.execute_script("return !window.axe"):
            self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
        found = self.driver.execute_async_script(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"
            ".then((result) => arguments[0](result.violations), (error) => arguments[0]([{id: String(error), nodes: []}]))"
        )
        report = [f"{one['id']}: {node['html']} {node.get('failureSummary', '')}" for one in found for node in one["nodes"]]
        self.assertEqual([one["id"] for one in found], [], f"{where}\n" + "\n".join(report))

    @contextlib.contextmanager
    def second_window(self):
        """The page in another window of the same browser, which is closed in the end."""
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")
        second = self.driver.current_window_handle
        try:
            self.driver.get(self.url)
            yield second
        finally:
            self.driver.switch_to.window(second)
            self.driver.close()
            self.driver.switch_to.window(first)

    @contextlib.contextmanager
    def on_phone(self):
        self.size(PHONE)
        yield
        self.size(DESKTOP)
