"""The page itself: load time, appearance and accessibility."""

import os
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PHONE, PlaygroundTestCase

# When the page was ready, in milliseconds since its address was entered; null until then.
READY = "return performance.getEntriesByName('hearth-ready')[0]?.startTime ?? null"

# On how many lines the buttons of a request are, and which of the tools' tabs are not whole.
FIT = """
const shown = [...document.querySelectorAll(".ask .bar > :is(button, select)")].filter((one) => one.offsetParent !== null);
const edge = document.getElementById("side-tabs").getBoundingClientRect().right + 1;
const tabs = [...document.querySelectorAll("#side-tabs button")];
return [
  new Set(shown.map((one) => Math.round(one.getBoundingClientRect().top / 10))).size,
  tabs.filter((tab) => tab.getBoundingClientRect().right > edge).map((tab) => tab.textContent),
];
"""


class Page(PlaygroundTestCase):
    def test_is_there_at_once(self):
        """Interactive: the scripts have run, and the editor takes keys. By the page's own clock, from when it is asked for, with
        nothing of it in the cache. The best of many; and a machine whose processors have more to do than they can is not
        judged by, but by the next test."""
        is_busy = lambda: os.getloadavg()[0] > os.cpu_count()
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        self.addCleanup(self.driver.execute_cdp_cmd, "Network.setCacheDisabled", {"cacheDisabled": False})
        times = []
        while len(times) < 10 or (min(times) >= 200 and len(times) < 100 and not is_busy()):
            self.driver.refresh()
            times.append(self.wait_until(lambda: self.driver.execute_script(READY)))
        times.sort()
        print(f"interactive after {times[0]:.0f} ms at best, {times[len(times) // 2]:.0f} ms in the middle of {len(times)}")
        self.assertTrue(times[0] < 200 or is_busy(), times)

    def test_takes_little_of_the_processor(self):
        """The page's own time on it until it is ready: 110 to 160 ms, and 230 ms beside other work on shared caches."""
        self.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        times = []
        for _ in range(5):
            self.driver.refresh()
            self.wait_until(lambda: self.driver.execute_script(READY))
            metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            # It restarts with each load.
            times.append(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration") * 1000)
        print(f"ready after {min(times):.0f} ms of one processor")
        self.assertTrue(0 < min(times) < 300, times)

    def test_may_not_be_framed(self):
        policy = self.driver.execute_async_script(
            "fetch('/graphql', {headers: {Accept: 'text/html'}})"
            ".then((answer) => arguments[0](answer.headers.get('Content-Security-Policy')))"
        )
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)

    def test_looks_well_and_is_accessible(self):
        self.sign_in()
        self.click("#run")
        self.wait_for("#status", "200")
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            for tool in ("account", "docs", "builder", "examples", "history"):
                self.find(f"#tab-{tool}").click()
                if tool in ("docs", "builder"):
                    self.wait_until(lambda: "Loading" not in self.find(f"#{tool}").text)
                self.screenshot(f"desktop-{scheme}-{tool}")
                self.check(f"{scheme} {tool}")
            self.check_states(scheme)
        self.find("#tab-account").click()
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.size(PHONE)
            self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), PHONE[0])
            self.screenshot(f"phone-{scheme}")
            self.check(f"phone {scheme}")

    def test_fits_every_width(self):
        """No button alone on a line, and no tab cut off."""
        for width in (1440, 1200, 1024, 820, PHONE[0], 360):
            self.size((width, 800) if width > PHONE[0] else (width, PHONE[1]))
            lines, cut = self.driver.execute_script(FIT)
            self.assertEqual(lines, 1, width)
            self.assertEqual(cut, [], width)
        # The choice of an operation is one more.
        self.write("query", "query A { __typename } query B { __typename }")
        self.wait_until(lambda: self.find("#operation").is_displayed())
        for width in (1440, 1024, PHONE[0], 360):
            self.size((width, 800) if width > PHONE[0] else (width, PHONE[1]))
            self.assertEqual(self.driver.execute_script(FIT)[0], 1, width)

    def check_states(self, scheme):
        """Elements that are shown only at times."""
        self.write("query", "{ family { nam } }")
        self.wait_for(".fault")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#errors li")
        self.check(f"{scheme} errors")
        ActionChains(self.driver).move_to_element(self.find("#query .t-field")).perform()
        self.wait_for(".hover-card")
        self.check(f"{scheme} card")
        self.write("query", "")
        self.type("{ family { chi")
        self.wait_for(".cm-tooltip-autocomplete li", "children")
        self.screenshot(f"desktop-{scheme}-completion")
        self.check(f"{scheme} completion")
        self.press(Keys.ESCAPE)
        self.press(Keys.CONTROL, "f")
        self.wait_for(".cm-search")
        self.screenshot(f"desktop-{scheme}-search")
        self.check(f"{scheme} search")
        self.press(Keys.ESCAPE)
        self.write("query", "subscription { familyChanged { __typename } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Listening")
        self.check(f"{scheme} events")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.click("#shortcuts-open")
        self.check(f"{scheme} keys")
        self.click("#shortcuts-close")
        self.write("query", "{ family { name } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")


if __name__ == "__main__":
    unittest.main()
