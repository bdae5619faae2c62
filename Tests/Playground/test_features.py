"""Further features of the playground: completion and building in unfinished documents, registering, definitions, results."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request
import uuid

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Live"))

from browser import DESKTOP, PHONE, RECORD, PlaygroundTestCase  # noqa: E402: that is where the next one is
from hearth import DemoServer  # noqa: E402


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


class Tabs(PlaygroundTestCase):
    def titles(self):
        return [tab.text for tab in self.all("#tabs [role=tab]")]

    def three(self):
        for name in ("One", "Two", "Three"):
            if name != "One":
                self.press(Keys.ALT, Keys.SHIFT, "t")
            self.write("query", f"query {name} {{ __typename }}")
        self.wait_until(lambda: self.titles() == ["One", "Two", "Three"])

    def test_renames_a_tab(self):
        self.three()
        ActionChains(self.driver).double_click(self.wait_for("#tabs [role=tab]", "One")).perform()
        self.wait_until(lambda: self.find("#ask").is_displayed())
        self.type("Mine")
        self.press(Keys.ENTER)
        self.wait_until(lambda: self.titles() == ["Mine", "Two", "Three"])
        self.write("query", "query Other { __typename }")
        self.reload()
        self.wait_until(lambda: self.titles() == ["Mine", "Two", "Three"])
        # By keyboard; Escape leaves it as it is.
        self.find("#tabs [aria-selected=true]").send_keys(Keys.F2)
        self.type("Never")
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.find("#ask").is_displayed())
        self.assertEqual(self.titles(), ["Mine", "Two", "Three"])

    def test_reorders_tabs_by_keyboard_and_pointer(self):
        self.three()
        self.find("#tabs [aria-selected=true]").send_keys(Keys.CONTROL, Keys.ARROW_LEFT)
        self.wait_until(lambda: self.titles() == ["One", "Three", "Two"])
        self.assertEqual(self.focused().text, "Three")
        self.find("#tabs [aria-selected=true]").send_keys(Keys.CONTROL, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        self.wait_until(lambda: self.titles() == ["Three", "One", "Two"])
        tabs = self.all("#tabs .tab")
        ActionChains(self.driver).drag_and_drop(tabs[0], tabs[2]).perform()
        self.wait_until(lambda: self.titles() == ["One", "Two", "Three"])
        self.assertIn("Three", self.text("query"))

    def test_duplicates_a_tab(self):
        self.three()
        self.command("duplicate")
        self.wait_until(lambda: self.titles() == ["One", "Two", "Three", "Three"])
        self.write("query", "query Changed { __typename }")
        self.wait_until(lambda: self.titles() == ["One", "Two", "Three", "Changed"])

    def command(self, text):
        self.press(Keys.F1)
        self.wait_until(lambda: self.find("#palette").is_displayed())
        self.type(text)
        self.press(Keys.ENTER)


class Kept(PlaygroundTestCase):
    def run_named(self, name):
        self.write("query", f"query {name} {{ __typename }}")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: name in self.driver.execute_script("return localStorage.getItem('hearth.history')"))

    def history(self):
        return [entry.text.split("\n")[0] for entry in self.all("#history button:not(.tool)")]

    def test_stars_and_searches_the_history(self):
        for name in ("First", "Second", "Third"):
            self.run_named(name)
        self.click("#tab-history")
        self.assertEqual(self.history(), ["Third", "Second", "First"])
        star = self.find('#history [aria-label="Star First"]')
        star.click()
        self.wait_until(lambda: self.history() == ["First", "Third", "Second"])
        self.assertEqual(self.focused().get_attribute("aria-pressed"), "true")
        self.find("#history-search").send_keys("query sec")
        self.wait_until(lambda: self.history() == ["Second"])
        self.find("#history-search").send_keys(" nothing")
        self.wait_for("#history-empty", "No request contains all these words.")
        self.find("#history-search").clear()
        self.find("#history-search").send_keys(" ")
        # Neither running it again, nor more requests than there is room for, nor forgetting removes it.
        self.run_named("First")
        self.driver.execute_script(
            "const kept = JSON.parse(localStorage.getItem('hearth.history'));"
            "for (let number = 0; number < 60; number += 1) kept.unshift({ query: `query Old${number} { a }`, variables: '', at: number });"
            "localStorage.setItem('hearth.history', JSON.stringify(kept))"
        )
        self.reload()
        self.run_named("Newest")
        self.click("#tab-history")
        self.wait_until(lambda: self.history()[0] == "First" and self.history()[1] == "Newest" and len(self.history()) == 51)
        self.click("#history-clear")
        self.wait_until(lambda: self.history() == ["First"])

    def test_labels_requests_of_the_history(self):
        for name in ("First", "Second"):
            self.run_named(name)
        self.click("#tab-history")
        self.find('#history [aria-label="Label First"]').click()
        self.wait_until(lambda: self.find("#ask").is_displayed())
        self.find("#ask-name").clear()
        self.find("#ask-name").send_keys("Everyone's chores", Keys.ENTER)
        self.wait_until(lambda: self.history() == ["Second", "Everyone's chores"])
        self.assertEqual(self.focused().get_attribute("aria-label"), "Label Everyone's chores")
        self.find("#history-search").send_keys("everyone")
        self.wait_until(lambda: self.history() == ["Everyone's chores"])
        self.find("#history-search").clear()
        self.find("#history-search").send_keys(" ")
        # The request keeps its label when it is run again, and over a visit; a closed dialog changes nothing.
        self.reload()
        self.run_named("First")
        self.click("#tab-history")
        self.wait_until(lambda: self.history() == ["Everyone's chores", "Second"])
        self.find('#history [aria-label="Label Second"]').click()
        self.wait_until(lambda: self.find("#ask").is_displayed())
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.find("#ask").is_displayed())
        self.assertEqual(self.history(), ["Everyone's chores", "Second"])

    def save(self, name, collection):
        self.press(Keys.CONTROL, "s")
        self.wait_until(lambda: self.find("#ask").is_displayed())
        for field, text in (("#ask-name", name), ("#ask-collection", collection)):
            self.find(field).clear()
            self.find(field).send_keys(text)
        self.press(Keys.ENTER)
        self.wait_for("#toast", f"Saved as {name}.")

    def test_saves_requests_that_a_server_accepts_as_trusted_documents(self):
        self.write("query", "query Kind { __typename }")
        self.save("Kind", "Screens")
        self.write("query", "query Home($first: Int) { family { chores(first: $first) { totalCount } } }")
        with Downloads(self) as downloaded:
            self.save("Home", "Screens/Start")
            self.click("#saved-export")
            manifest = downloaded("documents.json")
        self.assertEqual(list(json.loads(manifest)), ["Screens/Kind", "Screens/Start/Home"])
        # With what the document needs besides, it is still such a manifest.
        self.write("variables", '{"first": 3}')
        self.click("#tab-headers")
        self.write("headers", '{"X-Tenant": "{{tenant}}"}')
        self.save("Home", "Screens/Start")
        self.reload()
        self.click("#tab-history")
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.click("#saved button", "Home")
        self.wait_for("#tabs [aria-selected=true]", "Home")
        self.assertEqual(self.text("variables"), '{"first": 3}')
        with Downloads(self) as downloaded:
            self.click("#saved-export")
            manifest = downloaded("documents.json")
        operations = json.loads(manifest)["operations"]
        self.assertEqual([one["id"] for one in operations], ["Screens/Kind", "Screens/Start/Home"])
        self.assertEqual((operations[1]["variables"], operations[1]["headers"]), ({"first": 3}, {"X-Tenant": "{{tenant}}"}))
        self.assertEqual(self.answer_of(manifest, "Screens/Kind"), {"data": {"__typename": "Query"}})
        self.assertIn("export const HomeDocument", self.client_of(manifest))
        # Deleted here, they are imported again.
        for name in ("Kind", "Home"):
            self.find(f'#saved [aria-label="Delete {name}"]').click()
        self.wait_until(lambda: self.find("#saved-empty").is_displayed())
        importing(self, {"documents.json": manifest, "Alone.graphql": "{ __typename }"})
        self.wait_for("#toast", "3 requests imported.")
        self.assertEqual([one.text for one in self.all("#saved summary")], ["Screens", "Screens/Start", "Imported"])
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.click("#saved button", "Home")
        self.wait_until(lambda: json.loads(self.text("variables")) == {"first": 3})
        self.click("#tab-headers")
        self.assertEqual(json.loads(self.text("headers")), {"X-Tenant": "{{tenant}}"})
        importing(self, {"other.json": '{"operations": 7}'})
        self.wait_for("#toast", "other.json is not a manifest of documents.")

    def test_saves_no_secret(self):
        self.write("query", 'mutation { signIn(input: {email: "ada@example.com", password: "of mine"}) { userErrors { code } } }')
        self.press(Keys.CONTROL, "s")
        self.wait_for("#toast", "The query contains a password or a token")
        self.assertFalse(self.find("#ask").is_displayed())

    def test_imports_no_secret(self):
        self.click("#tab-history")
        query = 'mutation { signIn(input: {email: "ada@example.com", password: "of mine"}) { userErrors { code } } }'
        importing(self, {"Alone.graphql": "{ __typename }", "Entry.graphql": query})
        self.wait_for("#toast", "Entry contains a password or a token")
        self.assertEqual(self.all("#saved summary"), [])

    def test_saves_headers_without_their_secrets(self):
        self.write("query", "query Kind { __typename }")
        self.write("variables", '{"password": "of mine"}')
        self.click("#tab-headers")
        headers = {"Authorization": "Bearer of-mine", "X-Api-Key": "Key {{key}}", "X-Tenant": "here"}
        self.write("headers", json.dumps(headers))
        self.save("Kind", "Screens")
        self.wait_for("#toast", "Passwords and tokens in its variables and headers are not saved.")
        kept = "return JSON.stringify({...localStorage, ...sessionStorage})"
        self.assertNotIn("of mine", self.driver.execute_script(kept))
        self.assertNotIn("of-mine", self.driver.execute_script(kept))
        saved = json.loads(self.driver.execute_script("return localStorage.getItem('hearth.saved')"))
        self.assertEqual(json.loads(saved[0]["headers"]), {name: headers[name] for name in ("X-Api-Key", "X-Tenant")})
        # The same of an imported file.
        operation = {"name": "Team/Other", "body": "{ __typename }", "headers": headers, "variables": {"token": "of mine"}}
        importing(self, {"documents.json": json.dumps({"operations": [operation]})})
        self.wait_for("#toast", "1 request imported.")
        self.assertNotIn("of mine", self.driver.execute_script(kept))
        self.assertNotIn("of-mine", self.driver.execute_script(kept))

    def client_of(self, manifest):
        """The TypeScript client that the program generates for the manifest's documents."""
        with tempfile.TemporaryDirectory() as folder:
            documents, client = pathlib.Path(folder, "documents.json"), pathlib.Path(folder, "hearth.ts")
            documents.write_text(manifest)
            command = [os.environ["HEARTH_PROGRAM"], "generate", "typescript"]
            subprocess.run([*command, "--documents", documents, "--output", client], check=True, stdout=subprocess.DEVNULL)
            return client.read_text()

    def answer_of(self, manifest, name):
        """Of a server with the manifest's documents, to a request that names one of them."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(manifest)
            file.flush()
            server = DemoServer(os.environ["HEARTH_PROGRAM"])
            self.addCleanup(server.close)
            address = server.start(0, HEARTH_TRUSTED_DOCUMENTS=file.name, HEARTH_ACCEPTED_DOCUMENTS="trusted")
        body = json.dumps({"documentId": name}).encode()
        request = urllib.request.Request(address, body, {"Content-Type": "application/json", "Accept": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)


class Collections(PlaygroundTestCase):
    """Of saved requests, which begin as A/One, A/Two and B/Three."""

    def setUp(self):
        super().setUp()
        self.store("A/One", "A/Two", "B/Three")
        self.reload()
        self.click("#tab-history")
        self.wait_until(lambda: self.saved() == {"A": ["One", "Two"], "B": ["Three"]})

    def store(self, *keys):
        requests = [key.split("/") for key in keys]
        entries = [{"collection": own, "name": name, "query": f"query {name} {{ __typename }}"} for own, name in requests]
        self.driver.execute_script("localStorage.setItem('hearth.saved', arguments[0])", json.dumps(entries))

    def save_elsewhere(self, *keys):
        """As another window does: the browser reports what that one has stored by an event."""
        self.store(*keys)
        self.driver.execute_script("dispatchEvent(new StorageEvent('storage', { key: 'hearth.saved' }))")

    def saved(self):
        return self.driver.execute_script(
            "return Object.fromEntries(Array.from(document.querySelectorAll('#saved details'), (group) => [group.querySelector('summary').textContent,"
            " Array.from(group.querySelectorAll('li > .with-tool > button:first-child'), (one) => one.textContent)]))"
        )

    def act(self, name, action):
        more = self.find(f'#saved [aria-label="More for {name}"]')
        if more.get_attribute("aria-expanded") == "false":
            more.click()
        self.click("#saved .actions button", action)

    def enter(self, name, collection=None):
        self.wait_until(lambda: self.find("#ask").is_displayed())
        for field, text in (("#ask-name", name), ("#ask-collection", collection)):
            if text is not None:
                self.find(field).clear()
                self.find(field).send_keys(text)
        self.press(Keys.ENTER)

    def test_renames_and_moves_requests(self):
        self.act("One", "Rename or move")
        self.enter("First")
        self.wait_until(lambda: self.saved() == {"A": ["First", "Two"], "B": ["Three"]})
        self.assertEqual(self.focused().text, "First")
        self.press(Keys.F2)
        self.enter("First", "B")
        self.wait_until(lambda: self.saved() == {"A": ["Two"], "B": ["First", "Three"]})
        # A name that is taken there is rejected, and an empty collection disappears.
        self.act("Two", "Rename or move")
        self.enter("Three", "B")
        self.wait_for("#toast", "B has a request named Three already.")
        self.act("Two", "Rename or move")
        self.enter("Two", "New")
        self.wait_until(lambda: self.saved() == {"New": ["Two"], "B": ["First", "Three"]})
        self.reload()
        self.wait_until(lambda: self.saved() == {"New": ["Two"], "B": ["First", "Three"]})

    def test_duplicates_and_reorders_requests(self):
        self.act("One", "Duplicate")
        self.wait_until(lambda: self.saved()["A"] == ["One", "One copy", "Two"])
        self.assertEqual(self.focused().text, "One copy")
        self.act("One", "Duplicate")
        self.wait_until(lambda: self.saved()["A"] == ["One", "One copy 2", "One copy", "Two"])
        self.act("Two", "Up")
        self.wait_until(lambda: self.saved()["A"] == ["One", "One copy 2", "Two", "One copy"])
        self.wait_for("#toast", "Two is 3 of 4 in A.")
        # Its button keeps the focus, and the keys of the request itself do the same.
        self.focused().send_keys(Keys.ENTER)
        self.wait_until(lambda: self.saved()["A"][1] == "Two")
        self.wait_for("#saved button", "Two").send_keys(Keys.CONTROL, Keys.ARROW_UP)
        self.wait_until(lambda: self.saved()["A"][0] == "Two")
        self.focused().send_keys(Keys.CONTROL, Keys.ARROW_DOWN)
        self.wait_until(lambda: self.saved()["A"] == ["One", "Two", "One copy 2", "One copy"])

    def test_moves_requests_by_pointer(self):
        item = lambda name: self.find(f'#saved li:has([aria-label="Delete {name}"])')
        ActionChains(self.driver).drag_and_drop(item("Three"), item("Two")).perform()
        self.wait_until(lambda: self.saved() == {"A": ["One", "Three", "Two"]})
        ActionChains(self.driver).drag_and_drop(item("Two"), item("One")).perform()
        self.wait_until(lambda: self.saved() == {"A": ["Two", "One", "Three"]})

    def test_moves_a_request_while_another_window_saves(self):
        def drag(name, event):
            """The events of a drag, one by one. WebDriver's actions leave no time in between."""
            item = self.find(f'#saved li:has([aria-label="Delete {name}"])')
            options = "{ bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }"
            self.driver.execute_script(f"arguments[0].dispatchEvent(new DragEvent(arguments[1], {options}))", item, event)

        drag("Three", "dragstart")
        self.save_elsewhere("A/One", "A/Two", "B/Three", "B/Four")
        self.assertEqual(self.saved(), {"A": ["One", "Two"], "B": ["Three", "Four"]})
        drag("Two", "drop")
        self.assertEqual(self.saved(), {"A": ["One", "Three", "Two"], "B": ["Four"]})
        self.reload()
        self.wait_until(lambda: self.saved() == {"A": ["One", "Three", "Two"], "B": ["Four"]})
        # On itself, which is another object now, it changes nothing.
        drag("One", "dragstart")
        self.save_elsewhere("A/One", "A/Two", "B/Four")
        drag("One", "drop")
        self.assertEqual(self.saved(), {"A": ["One", "Two"], "B": ["Four"]})
        drag("Four", "dragstart")
        self.save_elsewhere("A/One", "A/Two", "B/Fifth")
        drag("Two", "drop")
        self.wait_for("#toast", "The request has been changed in another window.")
        self.assertEqual(self.saved(), {"A": ["One", "Two"], "B": ["Fifth"]})

    def test_renames_while_another_window_saves(self):
        def begin(name, action):
            self.act(name, action)
            self.wait_until(lambda: self.find("#ask").is_displayed())

        begin("One", "Rename or move")
        self.save_elsewhere("A/One", "A/Two", "B/Three", "B/Four")
        self.enter("First")
        self.wait_until(lambda: self.saved() == {"A": ["First", "Two"], "B": ["Three", "Four"]})
        begin("First", "Rename or move")
        self.save_elsewhere("A/Other", "A/Two", "B/Three")
        self.enter("Last")
        self.wait_for("#toast", "The request has been changed in another window.")
        self.assertEqual(self.saved(), {"A": ["Other", "Two"], "B": ["Three"]})
        begin("the collection B", "Rename")
        self.save_elsewhere("A/Other", "A/Two")
        self.enter("C")
        self.wait_for("#toast", "The collection has been changed in another window.")
        self.assertEqual(self.saved(), {"A": ["Other", "Two"]})

    def test_renames_and_reorders_collections(self):
        self.act("the collection A", "Rename")
        self.enter("B")
        self.wait_for("#toast", "There is a collection named B already.")
        self.act("the collection A", "Rename")
        self.enter("Start")
        self.wait_until(lambda: self.saved() == {"Start": ["One", "Two"], "B": ["Three"]})
        self.act("the collection B", "Up")
        self.wait_until(lambda: list(self.saved()) == ["B", "Start"])
        self.wait_for("#toast", "B is collection 1 of 2.")
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.check(f"collections {scheme}")
            self.screenshot(f"collections-{scheme}")

    def test_values_of_a_collection_apply_to_its_requests(self):
        self.driver.execute_script(RECORD)

        def values(text):
            self.act("the collection A", "Values")
            self.wait_until(lambda: self.find("#collection-values").is_displayed())
            self.write("collection-values-text", text)

        def sends(tenant):
            """Among requests for the cost of what is in the editor, which have none of these headers."""
            self.driver.execute_script("window.sent.length = 0")
            self.click("#run")
            self.wait_until(lambda: tenant in self.driver.execute_script("return window.sent.map((one) => one['x-tenant'])"))

        self.click("#saved button", "One")
        self.click("#tab-environment")
        self.wait_for("#environment-inherited", "Collection A: no values")
        values('{"tenant": "of A", "n": ')
        self.wait_for("#collection-values-error", "Not JSON yet")
        self.write("collection-values-text", '{"tenant": "of A", "n": 7}')
        self.wait_until(lambda: self.find("#collection-values-error").text == "")
        for size in (DESKTOP, (1024, 768), PHONE):
            for scheme in ("light", "dark"):
                self.size(size)
                self.color_scheme(scheme)
                self.check(f"values of a collection {size} {scheme}")
                self.screenshot(f"collection-values-{scheme}-{size[0]}")
        self.size(DESKTOP)
        self.click("#collection-values-close")
        self.wait_for("#environment-inherited", "Collection A: tenant, n")
        self.click("#tab-headers")
        self.write("headers", '{"X-Tenant": "{{tenant}}-{{n}}"}')
        sends("of A-7")
        # Those of the chosen environment come first.
        self.click("#tab-environment")
        self.click("#environment-add")
        self.enter("Local")
        self.write("environment-values", '{"tenant": "here"}')
        sends("here-7")
        self.screenshot("environment-inherited")
        self.click("#environment-remove")
        # Another collection has no such values, and a name changes nothing.
        self.click("#saved button", "Three")
        self.click("#tab-headers")
        self.write("headers", '{"X-Tenant": "{{tenant}}"}')
        self.wait_for("#headers-error", "There is no value named tenant")
        self.act("the collection A", "Rename")
        self.enter("Screens")
        self.wait_until(lambda: self.saved() == {"Screens": ["One", "Two"], "B": ["Three"]})
        self.act("Three", "Rename or move")
        self.enter("Three", "Screens/Start")
        self.wait_until(lambda: self.saved() == {"Screens": ["One", "Two"], "Screens/Start": ["Three"]})
        self.wait_until(lambda: self.find("#headers-error").text == "")
        sends("of A")
        # They are kept, exported and imported.
        with Downloads(self) as downloaded:
            self.click("#saved-export")
            manifest = downloaded("documents.json")
        self.assertEqual(json.loads(manifest)["values"], {"Screens": {"tenant": "of A", "n": 7}})
        self.reload()
        self.click("#tab-environment")
        self.wait_for("#environment-inherited", "Collection Screens/Start: tenant, n")
        self.click("#tab-history")
        for name in ("One", "Two", "Three"):
            self.find(f'#saved [aria-label="Delete {name}"]').click()
        self.wait_until(lambda: not self.find("#environment-inherited").is_displayed())
        self.assertEqual(self.driver.execute_script("return localStorage.getItem('hearth.collection-values')"), "{}")
        importing(self, {"documents.json": manifest})
        self.wait_for("#toast", "3 requests imported.")
        self.wait_for("#environment-inherited", "Collection Screens/Start: tenant, n")

    def test_values_of_a_collection_hold_no_secret(self):
        self.act("the collection A", "Values")
        self.write("collection-values-text", '{"password": "of mine"}')
        self.click("#collection-values-close")
        with Downloads(self) as downloaded:
            self.click("#saved-export")
            self.assertNotIn("of mine", downloaded("documents.json"))
        self.assertNotIn("of mine", self.driver.execute_script("return JSON.stringify({...localStorage, ...sessionStorage})"))

    def test_a_request_is_saved_again_where_it_was(self):
        self.click("#saved button", "Three")
        self.wait_for("#tabs [aria-selected=true]", "Three")
        self.write("query", "query Changed { __typename }")
        self.press(Keys.CONTROL, "s")
        self.wait_until(lambda: self.find("#ask").is_displayed())
        fields = [self.find(field).get_attribute("value") for field in ("#ask-name", "#ask-collection")]
        self.assertEqual(fields, ["Three", "B"])
        self.press(Keys.ENTER)
        self.wait_for("#toast", "Saved as Three.")
        self.assertEqual(self.saved(), {"A": ["One", "Two"], "B": ["Three"]})
        self.assertIn("Changed", self.driver.execute_script("return localStorage.getItem('hearth.saved')"))


class Commands(PlaygroundTestCase):
    def test_runs_commands_by_keyboard(self):
        self.write("query", "{__typename}")
        self.press(Keys.F1)
        self.wait_until(lambda: self.find("#palette").is_displayed())
        self.assertEqual(self.focused().get_attribute("id"), "palette-search")
        self.type("pret")
        self.assertEqual([one.text.split("\n")[0] for one in self.all("#palette-list li")], ["Prettify"])
        self.press(Keys.ENTER)
        self.wait_until(lambda: self.text("query") == "{\n  __typename\n}\n")
        self.assertFalse(self.find("#palette").is_displayed())
        self.press(Keys.F1)
        self.type("tab")
        self.press(Keys.ARROW_DOWN)
        chosen = self.find("#palette-list [aria-selected=true]")
        self.assertEqual(self.find("#palette-search").get_attribute("aria-activedescendant"), chosen.get_attribute("id"))
        self.assertIn("Duplicate tab", chosen.text)
        self.find("#palette-search").clear()
        self.find("#palette-search").send_keys("no such thing")
        self.wait_for("#palette-none", "No command")
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.find("#palette").is_displayed())
        self.assertEqual(len(self.all("#tabs [role=tab]")), 1)

    def test_opens_an_example_and_a_tool(self):
        self.click("#palette-open")
        self.type("example address book")
        self.click("#palette-list li", "Example:")
        self.wait_until(lambda: len(self.all("#tabs [role=tab]")) == 2)
        self.press(Keys.F1)
        self.type("show history")
        self.press(Keys.ENTER)
        self.wait_until(lambda: self.find("#history-panel").is_displayed())
        self.press(Keys.F1)
        self.type("run")
        self.press(Keys.ENTER)
        self.wait_for("#status", "·")

    def test_dialogs_are_accessible(self):
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            for width in (1440, 390):
                self.size((width, 844))
                self.press(Keys.F1)
                self.screenshot(f"palette-{scheme}-{width}")
                self.check(f"palette {scheme} {width}")
                self.press(Keys.ESCAPE)
                self.press(Keys.CONTROL, "s")
                self.check(f"saving {scheme} {width}")
                self.press(Keys.ENTER)
                self.wait_for("#toast", "Saved as")
                self.click("#tab-history")
                self.check(f"saved {scheme} {width}")
                self.screenshot(f"saved-{scheme}-{width}")
                self.click("#tab-account")
                if self.find("#register-open").is_displayed():
                    self.click("#register-open")
                self.check(f"register {scheme} {width}")
                self.write("query", "{ __typename }")
                self.press(Keys.CONTROL, Keys.ENTER)
                self.wait_for("#status", "200")
                if not self.find("#response-headers").is_displayed():
                    self.click("#headers-toggle")
                self.check(f"headers {scheme} {width}")


def importing(test, files):
    """Imports files, each a text by its name."""
    test.driver.execute_script("document.getElementById('saved-files').hidden = false")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text)
        test.find("#saved-files").send_keys("\n".join(str(pathlib.Path(folder, name)) for name in files))
        ends = ("import", "not a manifest", "a password or a token")
        test.wait_until(lambda: any(end in test.find("#toast").text for end in ends))
    test.driver.execute_script("document.getElementById('saved-files').hidden = true")


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
