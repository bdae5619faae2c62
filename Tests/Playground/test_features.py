"""Further features of the playground: completion and building in unfinished documents, registering, definitions, results."""

import glob
import json
import os
import pathlib
import tempfile
import uuid

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PlaygroundTestCase


class Unfinished(PlaygroundTestCase):
    def test_completes_where_brackets_are_open(self):
        """As after pasting, when no bracket was closed by the editor."""
        for text, expected, unexpected in [
            ("{ family { ", "timeZone", "viewer"),
            ("{ family { children { name ", "points", "viewer"),
            ("{ viewer { ... on Account { ", "email", "family"),
            ("query { family { chores(orderBy: ", "PRIORITY", "viewer"),
            ("query { family { chores(filter: { ", "status", "viewer"),
            ("query { family { chores(filter: { status: ", "DONE", "viewer"),
            ("{ family @include( ", "if", "viewer"),
            ("fragment F on Child { avatar { ", "contentType", "points"),
        ]:
            with self.subTest(text):
                self.write("query", text)
                self.press(Keys.CONTROL, Keys.END)
                self.press(Keys.CONTROL, Keys.SPACE)
                self.wait_for(".cm-tooltip-autocomplete li", expected)
                offered = [option.text.split("\n")[0].split(" ")[0] for option in self.all(".cm-tooltip-autocomplete li")]
                self.assertNotIn(unexpected, offered)
                self.press(Keys.ESCAPE)

    def test_the_builder_keeps_required_arguments(self):
        self.write("query", "")
        self.click("#tab-builder")
        Select(self.find("#builder-operation")).select_by_visible_text("mutation")
        self.wait_until(lambda: self.find('[data-path="addChore"]')).click()
        complete = "mutation ($input: AddChoreInput!) {\n  addChore(input: $input) {\n    __typename\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == complete)
        # It is ticked, and cannot be unticked by taking it for one that has to be ticked.
        argument = self.find('[data-path="addChore/(input:)"]')
        self.assertTrue(argument.is_selected())
        argument.click()
        self.assertEqual(self.text("query"), complete)
        self.wait_for("#builder label", "required")

    def test_the_builder_adds_required_arguments_to_what_was_written_without(self):
        self.click("#tab-builder")
        self.write("query", "mutation { addChore { chore { name } } }")
        Select(self.find("#builder-operation")).select_by_visible_text("mutation")
        self.wait_until(lambda: self.find('[data-path="addChore/chore/id"]')).click()
        self.wait_until(lambda: "addChore(input: $input)" in self.text("query") and "id" in self.text("query"))
        self.assertIn("mutation ($input: AddChoreInput!) {", self.text("query"))


class Account(PlaygroundTestCase):
    def test_registers(self):
        self.click("#register-open")
        self.assertEqual(self.focused().get_attribute("id"), "register-name")
        self.type("Grace Hopper")
        self.driver.execute_script("document.getElementById('register-born').value = '1976-12-09'")
        self.find("#register-password").send_keys("correct horse battery", Keys.ENTER)
        self.wait_until(lambda: self.find("#register-error").text != "")
        self.assertEqual(self.find("#register-email").get_attribute("aria-invalid"), "true")
        self.find("#register-email").send_keys(f"grace-{uuid.uuid4().hex}@example.com", Keys.ENTER)
        self.wait_for("#session-state", "Signed in: Grace Hopper")
        self.assertFalse(self.find("#register").is_displayed())
        self.assertEqual(self.focused().get_attribute("id"), "sign-out")
        self.write("query", "{ family { children { name } } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: '"children": []' in self.text("result"))
        self.click("#tab-account")
        self.click("#sign-out")
        self.wait_for("#sign-in label", "E-mail")
        self.click("#register-open")
        self.click("#register-close")
        self.assertEqual(self.focused().get_attribute("id"), "identifier")

    def test_has_an_example_that_registers(self):
        self.click("#tab-examples")
        self.click("#examples button", "Register")
        self.wait_until(lambda: "register(input: $input)" in self.text("query"))
        values = json.loads(self.text("variables"))
        values["input"] |= {"email": f"alan-{uuid.uuid4().hex}@example.com", "password": "correct horse battery"}
        self.write("variables", json.dumps(values))
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: "accessToken" in self.text("result"))


class Definitions(PlaygroundTestCase):
    def control_click(self, word):
        found = next(part for part in self.all("#query .cm-line span") if part.text == word)
        ActionChains(self.driver).key_down(Keys.CONTROL).click(found).key_up(Keys.CONTROL).perform()

    def test_goes_to_the_definition(self):
        self.write("query", "query Q($first: Int) { family { chores(first: $first) { nodes { ...Line } } } }\nfragment Line on Chore { dueAt }")
        self.wait_for("#query .t-field", "chores")
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        self.control_click("chores")
        self.wait_for("#docs h3", "Family")
        self.wait_for("#docs .chosen", "chores")
        self.control_click("Chore")
        self.wait_for("#docs h3", "Chore")
        # A fragment and a variable are defined in the document.
        self.write("query", self.text("query").replace("\n", "\n\n"))
        for word, column in [("Line", 0), ("$first", 8)]:
            found = [part for part in self.all("#query .cm-line span") if part.text == word]
            used = found[0] if word == "Line" else found[-1]
            ActionChains(self.driver).key_down(Keys.CONTROL).click(used).key_up(Keys.CONTROL).perform()
            self.press(Keys.SHIFT, Keys.END)
            selected = self.driver.execute_script("return getSelection().toString()")
            self.assertTrue(selected.startswith("fragment Line" if word == "Line" else "$first: Int"), selected)

    def test_goes_to_the_definition_by_keyboard(self):
        self.write("query", "{ family")
        self.press(Keys.ALT, Keys.ENTER)
        # The caret is behind the word.
        self.press(Keys.ARROW_LEFT)
        self.press(Keys.ALT, Keys.ENTER)
        self.wait_for("#docs .chosen", "family")

    def test_searches_by_several_words(self):
        self.press(Keys.CONTROL, "k")
        for words, expected in [
            ("assign points", "Mutation.assignPoints"), ("points assign", "Mutation.assignPoints"),
            ("chore due", "Chore.dueAt"), ("family.time zone", "Family.timeZone"), ("AddChore input", "AddChoreInput"),
        ]:
            with self.subTest(words):
                self.find("#docs-search").clear()
                self.find("#docs-search").send_keys(words)
                self.wait_until(lambda: expected in [one.text.split("\n")[0] for one in self.all("#docs button")][:8])
        self.find("#docs-search").clear()
        self.find("#docs-search").send_keys("assign xylophone")
        self.wait_for("#docs", "Nothing contains all the words")

    def test_reloads_and_downloads_the_schema(self):
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        self.requested()
        self.click("#schema-reload")
        self.wait_for("#toast", "Schema reloaded.")
        self.assertEqual(sum(url.endswith("/schema.graphql") for url in self.requested()), 1)
        self.assertEqual(self.find("a[download]").get_attribute("download"), "schema.graphql")
        with Downloads(self) as downloaded:
            self.click("a[download]")
            self.assertIn("type Mutation", downloaded("schema.graphql"))


class Results(PlaygroundTestCase):
    def test_shows_the_headers_of_the_response(self):
        self.write("query", "{ __typename }")
        self.assertFalse(self.find("#headers-toggle").is_enabled())
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.click("#headers-toggle")
        self.wait_for("#response-headers", "application/graphql-response+json")
        self.assertEqual(self.find("#headers-toggle").get_attribute("aria-expanded"), "true")
        self.find("#headers-toggle").send_keys(Keys.ENTER)
        self.assertFalse(self.find("#response-headers").is_displayed())

    def test_downloads_the_result(self):
        self.write("query", "query Kind { __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        with Downloads(self) as downloaded:
            self.click("#download-result")
            self.assertEqual(json.loads(downloaded("Kind.json")), {"data": {"__typename": "Query"}})

    def test_links_addresses_and_shows_pictures(self):
        self.sign_in()
        self.write("query", "{ family { children { avatar { url } } } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        link = self.wait_until(lambda: self.find("#result a"))
        self.assertTrue(link.get_attribute("href").startswith("http") and "/media/" in link.get_attribute("href"))
        self.assertEqual((link.get_attribute("target"), link.get_attribute("rel")), ("_blank", "noopener noreferrer"))
        widths = "return Array.from(document.querySelectorAll('#pictures img'), ({ naturalWidth }) => naturalWidth)"
        self.wait_until(lambda: len(self.all("#pictures img")) >= 2 and 0 not in self.driver.execute_script(widths))
        self.write("query", "{ __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: not self.find("#pictures").is_displayed() and not self.all("#result a"))


class Downloads:
    """A folder for downloads; its function waits for a file and returns its text."""

    def __init__(self, test):
        self.test = test
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self):
        self.set({"behavior": "allow", "downloadPath": self.folder.name})
        return lambda name: self.test.wait_until(lambda: pathlib.Path(self.folder.name, name).read_text(), name)

    def __exit__(self, *_):
        self.set({"behavior": "default"})
        self.folder.cleanup()

    def set(self, parameters):
        self.test.driver.execute_cdp_cmd("Browser.setDownloadBehavior", parameters)


if __name__ == "__main__":
    import unittest

    unittest.main()
