"""What is in the page must also be seen: by pixels and by the geometry of elements, not only by the document."""

import io
import json

from PIL import Image
from selenium.webdriver.common.keys import Keys

from browser import PlaygroundTestCase

# Which of nine points of an element are on its surface, and not covered or clipped by anything else.
UNCOVERED = """
const element = document.querySelector(arguments[0]);
const { left, top, width, height } = element.getBoundingClientRect();
const parts = [.1, .5, .9];
return parts.flatMap((x) => parts.map((y) => element.contains(document.elementFromPoint(left + width * x, top + height * y))));
"""

PLACE = "const { left, top, right, bottom } = document.querySelector(arguments[0]).getBoundingClientRect(); return [left, top, right, bottom]"

# How many pixels of the first element are within the window.
IN_SIGHT = """
const { top, bottom } = document.querySelector(arguments[0]).getBoundingClientRect();
return Math.min(bottom, innerHeight) - Math.max(top, 0);
"""


class Visible(PlaygroundTestCase):
    def ink(self, selector):
        """The share of an element's pixels that differ from its most frequent colour: text has 3 % and more."""
        place = [round(value) for value in self.driver.execute_script(PLACE, selector)]
        picture = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("L").crop(place)
        counts = picture.histogram()
        return 1 - sum(sorted(counts)[-3:]) / sum(counts)

    def brightness(self, selector):
        """Of the most frequent colour in an element."""
        place = [round(value) for value in self.driver.execute_script(PLACE, selector)]
        counts = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("L").crop(place).histogram()
        return counts.index(max(counts))

    def test_descriptions_of_completions_are_seen(self):
        for scheme in ("light", "dark"):
            for width in (1440, 1024, 390):
                with self.subTest(f"{scheme} {width}"):
                    self.color_scheme(scheme)
                    self.size((width, 844))
                    self.write("query", "")
                    self.type("{ family { timeZ")
                    self.wait_for(".cm-tooltip-autocomplete li[aria-selected]", "timeZone")
                    self.wait_for(".cm-completionInfo", "IANA time zone")
                    self.assertNotIn(False, self.driver.execute_script(UNCOVERED, ".cm-completionInfo"))
                    self.assertGreater(self.ink(".cm-completionInfo"), 0.03)
                    left, _, right, _ = self.driver.execute_script(PLACE, ".cm-completionInfo")
                    self.assertTrue(0 <= left < right <= width, (left, right))
                    self.screenshot(f"completion-{scheme}-{width}")
                    self.press(Keys.ESCAPE)

    def test_descriptions_of_completions_are_formatted(self):
        self.write("query", "")
        self.type("fragment Shown on Image { thumbH")
        self.wait_for(".cm-completionInfo a", "ThumbHash")
        link = self.find(".cm-completionInfo a")
        self.assertEqual(link.get_attribute("href"), "https://evanw.github.io/thumbhash/")
        self.assertNotIn("](", self.find(".cm-completionInfo").text)
        self.screenshot("completion-formatted")
        self.press(Keys.ESCAPE)
        self.write("query", "")
        self.type("{ node(i")
        self.wait_for(".cm-completionInfo code", "id")
        self.assertNotIn("`", self.find(".cm-completionInfo").text)

    def test_descriptions_are_formatted(self):
        """What the page makes of Markdown; anything else is text."""
        markup = self.driver.execute_async_script(
            """
            const [text, done] = arguments;
            import("/graphql/playground/schema/prose.js").then(({ described }) =>
              done(described({ description: text, deprecated: null }).map((one) => one.innerHTML).join("")));
            """,
            "A `b` *c* **d** [e](https://f.example/g) [h](javascript:i) <b>\nover 2 * 3 lines\n- one\n- two\n  more\n\n"
            "1. first\n2. second\n\nLast\n```graphql\n{ a }\n\n{ b }\n```\n",
        )
        self.assertEqual(
            markup,
            '<p>A <code>b</code> <em>c</em> <strong>d</strong> <a href="https://f.example/g" target="_blank" rel="noopener noreferrer">e</a> '
            "[h](javascript:i) &lt;b&gt;\nover 2 * 3 lines</p><ul><li>one</li><li>two\n  more</li></ul>"
            "<ol><li>first</li><li>second</li></ol><p>Last</p><pre>{ a }\n\n{ b }</pre>",
        )

    def test_editors_are_the_brightest_surface(self):
        self.write("query", "")
        for tool in ("account", "docs", "history"):
            self.find(f"#tab-{tool}").click()
            self.assertGreater(self.brightness("#query"), self.brightness("#side"), tool)
        self.assertEqual(self.brightness("#query"), self.brightness("#result"))

    def test_the_result_comes_into_view_on_a_phone(self):
        self.size((390, 844))
        for by_keyboard in (False, True):
            with self.subTest(by_keyboard=by_keyboard):
                self.write("query", "{ __typename }")
                self.driver.execute_script("scrollTo(0, 0)")
                self.assertLess(self.driver.execute_script(IN_SIGHT, "#result"), 0)
                self.driver.execute_script("document.querySelector(arguments[0]).focus()", "#query .cm-content" if by_keyboard else "#run")
                self.press(*([Keys.CONTROL] if by_keyboard else []), Keys.ENTER)
                self.wait_for("#status", "200")
                self.assertGreater(self.driver.execute_script(IN_SIGHT, "#result"), 300)
                self.assertGreater(self.driver.execute_script(IN_SIGHT, "#status"), 10)

    def test_nothing_is_cut_on_a_small_phone(self):
        self.size((390, 844))
        self.sign_in()
        fits = "const { scrollWidth, clientWidth } = document.querySelector(arguments[0]); return scrollWidth <= clientWidth"
        self.assertTrue(self.driver.execute_script(fits, "#session-state"), "the name of the one who is signed in")
        self.assertEqual(self.find("#session-state").text.strip(), "Signed in: Ada Lovelace")
        # All problems are listed, and the page scrolls.
        self.write("query", "{ family { nam } node(id: 3, a: 1) { id } viewer { emial } missing { b } }")
        self.wait_until(lambda: len(self.all("#problems li")) == 4)
        height = "const { scrollHeight, clientHeight } = document.querySelector(arguments[0]); return scrollHeight <= clientHeight"
        self.assertTrue(self.driver.execute_script(height, "#problems"))
        self.click("#tab-docs")
        self.find("#docs-search").send_keys("Chore", Keys.ENTER)
        self.wait_for("#docs h3", "Chore")
        self.click("#docs button.link", "Graph")
        self.wait_until(lambda: self.find("#graph").is_displayed())
        rows = {self.find(f"#{button}").rect["y"] for button in ("graph-whole", "graph-docs", "graph-close")}
        self.assertEqual(len(rows), 1, "the buttons of the graph")
        self.screenshot("graph-390")

    def test_the_buttons_of_the_result_are_on_one_line(self):
        """Also beside a long status."""
        self.write("query", "{ family { nam } missing { a } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "2 errors")
        self.assertLess(self.find("#status").rect["height"], 30)
        lines = (
            "return new Set(Array.from(document.querySelectorAll('.answer > .bar .tool:not([hidden])'),"
            "({ offsetTop, offsetHeight }) => Math.round((offsetTop + offsetHeight / 2) / 4))).size"
        )
        for width in (1440, 1200, 1024, 390, 360):
            self.size((width, 844))
            self.assertEqual(self.driver.execute_script(lines), 1, width)
            left, _, right, _ = self.driver.execute_script(PLACE, "#download-result")
            self.assertTrue(0 <= left < right <= width, width)

    def test_only_run_stands_out(self):
        """The other buttons of a request have no frame and no ground, and each has a name and a tooltip."""
        frames = self.driver.execute_script(
            "return Array.from(document.querySelectorAll('.ask .bar .tool, .answer .bar .tool'), (one) => {"
            "const { borderTopColor, backgroundColor } = getComputedStyle(one);"
            "return [one.id, borderTopColor, backgroundColor, one.ariaLabel ?? one.labels[0].textContent, one.title]; })"
        )
        self.assertEqual(
            {name for name, *_ in frames},
            {
                "prettify", "merge", "copy-as", "share", "headers-toggle", "trace-toggle", "compare-open", "table-toggle", "copy-result", "download-result",
                "environment-add", "environment-rename", "environment-remove", "script-about-toggle",
            },
        )
        for name, border, ground, label, title in frames:
            self.assertEqual((border, ground), ("rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"), name)
            self.assertTrue(label and (title or name == "copy-as"), name)

    def test_errors_are_shown_once(self):
        self.write("query", "{ family { nam } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        message = 'Cannot query field "nam"'
        self.wait_for("#errors li", message)
        self.wait_until(lambda: '"errors": […]' in self.text("result"))
        self.assertEqual(self.find("#answer").text.count(message), 1)
        # The entire response is still there, to copy and to unfold.
        self.click("#copy-result")
        self.wait_for("#toast", "Result copied.")
        copied = self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        self.assertIn(message, json.loads(copied)["errors"][0]["message"])
        self.unfold_until('"message"')

    def unfold_until(self, text):
        """Clicks the first fold until the result shows a text: a click misses if the page moves at that moment."""

        def shown():
            for fold in self.all("#result .cm-foldPlaceholder")[:1]:
                fold.click()
            return text in self.text("result")

        self.wait_until(shown, f"no {text} in the result")

    def test_the_documentation_begins_with_operations_by_topic(self):
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        titles = [title.text.split(" ")[0] for title in self.all("#docs summary")]
        self.assertEqual(titles[:3], ["Queries", "Mutations", "Subscriptions"])
        self.assertIn("Chores", titles)
        self.assertEqual(titles[-1], "Pages")
        # All of it fits the window: names are shown when their topic is opened.
        self.assertLess(self.driver.execute_script(PLACE, "#docs details:last-of-type")[3], 900)
        self.assertLess(len([name for name in self.all("#docs button") if name.is_displayed()]), 12)
        self.click("#docs summary", "Chores")
        self.wait_until(lambda: self.find("#docs details[open]:not(:nth-of-type(1))"))
        self.click("#docs details[open] button", "ChoreFilter")
        self.wait_for("#docs h3", "ChoreFilter")
        self.click("#docs-back")
        # What was opened is still open.
        self.wait_for("#docs details[open] button", "ChoreFilter")
        self.assertFalse([name for name in self.all("#docs button") if name.is_displayed() and name.text.endswith("Connection")])


if __name__ == "__main__":
    import unittest

    unittest.main()
