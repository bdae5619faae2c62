"""The playground, used as people use it: with a pointer, and by keyboard alone."""

import base64
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import URL, PlaygroundTestCase


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

VALIDATE = """
const [query, variables, done] = arguments;
fetch("/graphql/validate", {
  method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ query, variables: variables === "" ? null : JSON.parse(variables) }),
}).then((answer) => answer.json()).then(({ errors }) => done(errors));
"""

LISTEN = """
const done = arguments[0];
import("/graphql/playground/subscription.js").then(({ Subscription }) => {
  const heard = { states: [], events: [] };
  const subscription = new Subscription({ query: "{ __typename }" }, async () => null);
  subscription.addEventListener("event", ({ detail }) => heard.events.push(detail));
  subscription.addEventListener("state", ({ target }) => {
    heard.states.push(target.state);
    if (target.state === "ended") done(heard);
  });
  subscription.start();
});
"""

# A socket in the place of the browser's: it answers with an event that has a position, breaks, and is asked again.
RESUME = """
const done = arguments[0];
const asked = [];
const Real = window.WebSocket;
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  constructor() { super(); setTimeout(() => this.dispatchEvent(new Event("open"))); }
  close() {}
  tell(message) { this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) })); }
  send(text) {
    const { type, payload } = JSON.parse(text);
    if (type === "connection_init") return this.tell({ type: "connection_ack" });
    if (type !== "subscribe") return;
    asked.push(payload.extensions?.position ?? null);
    if (asked.length === 2) { window.WebSocket = Real; return done(asked); }
    this.tell({ id: "1", type: "next", payload: { data: {}, extensions: { position: "7" } } });
    this.dispatchEvent(new CloseEvent("close", { code: 1001, reason: "SHUTTING_DOWN" }));
  }
};
import("/graphql/playground/subscription.js").then(({ Subscription }) =>
  new Subscription({ query: "subscription { x }" }, async () => null).start());
"""


class Writing(PlaygroundTestCase):
    def test_signs_in_and_runs_a_query(self):
        self.sign_in()
        self.write("query", "{ family { name children { name } } }")
        self.click("#run")
        self.wait_for("#status", "200")
        self.wait_until(lambda: '"name": "Lovelace family"' in self.text("result"))
        self.assertRegex(self.find("#status").text, r"^200 · [\d.]+ m?s · \d+ bytes$")

    def test_a_token_is_in_nothing_that_is_kept_or_shared(self):
        self.sign_in()
        self.write("query", "{ viewer { __typename } }")
        self.find("#tab-headers").click()
        self.write("headers", '{"Authorization": "Bearer secret-token"}')
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "·")
        kept = self.driver.execute_script("return JSON.stringify(localStorage)")
        self.assertIn("viewer", kept)
        self.assertNotIn("secret-token", kept)
        token = self.driver.execute_script("return JSON.parse(sessionStorage.getItem('hearth.session')).accessToken")
        self.assertNotIn(token, kept)

    def test_completes_a_field_by_keyboard(self):
        self.write("query", "")
        self.type("{ family { chil")
        option = self.wait_for(".cm-tooltip-autocomplete li[aria-selected]", "children")
        self.assertIn("[Child!]!", option.text)
        self.accept()
        self.wait_until(lambda: "children {" in self.text("query"))
        self.wait_for(".cm-tooltip-autocomplete li", "points")
        self.type("poi")
        self.wait_for(".cm-tooltip-autocomplete li[aria-selected]", "points")
        self.accept()
        self.wait_until(lambda: "{ family { children { points" in self.text("query"))

    def test_completes_arguments_values_variables_and_directives(self):
        for text, expected in [
            ("{ family { chores(", "first"),
            ("{ family { chores(orderBy: ", "PRIORITY"),
            ("query ($count: Int) { family { chores(first: $", "$count"),
            ("{ family @i", "@include"),
            ("query ($filter: ChoreF", "ChoreFilter"),
            ("{ viewer { ... on Ch", "Child"),
            ("mutation ($input: AddChoreInput!) { addChore(input: {freq", "frequency"),
        ]:
            with self.subTest(text):
                self.write("query", "")
                self.type(text)
                self.press(Keys.CONTROL, Keys.SPACE)
                self.wait_for(".cm-tooltip-autocomplete li", expected)
                self.press(Keys.ESCAPE)

    def test_underlines_what_the_server_finds_wrong_while_one_types(self):
        self.write("query", "{ family { nam } }")
        self.wait_for(".fault", "nam")
        self.wait_for("#problems", 'Cannot query field "nam" on type "Family". Did you mean "name"?')
        self.assertEqual(self.find("#status").text, "")
        self.screenshot("validation")
        self.write("query", "{ family { name } }")
        self.wait_until(lambda: not self.all(".fault") and self.find("#problems").text == "")

    def test_checks_the_variables_against_the_operation(self):
        self.write("query", "query ($first: Int!) { family { chores(first: $first) { totalCount } } }")
        self.wait_for("#problems, #variables-error", "was not provided")
        self.write("variables", '{"first": "many"}')
        self.wait_for("#variables .fault", "first")
        self.wait_for("#variables-error", "Int cannot represent")
        self.write("variables", '{"first": 3')
        self.wait_for("#variables-error", "Not JSON yet")
        self.write("variables", '{"first": 3}')
        self.wait_until(lambda: not self.all(".fault") and self.find("#variables-error").text == "")
        self.sign_in()
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: "totalCount" in self.text("result"))

    def test_prettifies(self):
        self.write("query", "query Q($a:Int=1){family{chores(first:$a){totalCount}}}")
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        expected = "query Q($a: Int = 1) {\n  family {\n    chores(first: $a) {\n      totalCount\n    }\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == expected)

    def test_tells_what_the_name_under_the_pointer_means(self):
        self.write("query", "{ family { name } }")
        field = self.wait_for("#query .t-field", "family")
        ActionChains(self.driver).move_to_element(field).perform()
        self.assertIn("Query.family: Family", self.wait_for(".hover-card").text)
        self.click(".hover-card button")
        self.wait_for("#docs .chosen", "family")


    def test_merges_fragments_by_keyboard(self):
        self.write("query", "{ family { ...Named } } fragment Named on Family { name children { ...Of @include(if: true) } } fragment Of on Child { name }")
        self.press(Keys.CONTROL, Keys.SHIFT, "m")
        expected = "{\n  family {\n    name\n    children {\n      ... on Child @include(if: true) {\n        name\n      }\n    }\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == expected)
        # What cannot be merged stays as it is.
        endless = "{ family { ...F } } fragment F on Family { name ...F }"
        self.write("query", endless)
        self.click("#merge")
        self.assertEqual(self.text("query"), endless)

    def test_sends_a_picture(self):
        self.sign_in()
        self.click("#tab-examples")
        self.click("#examples button", "Add a thing")
        self.click("#tab-files")
        field = self.wait_until(lambda: self.find("#files input[type=file]"))
        self.assertIn("input.photo", self.find("#files label").text)
        with tempfile.NamedTemporaryFile(suffix=".png") as picture:
            picture.write(PIXEL)
            picture.flush()
            field.send_keys(picture.name)
            self.wait_for("#files-count", "(1)")
            self.click("#run")
            self.wait_for("#status", "200")
        self.wait_until(lambda: '"placeholder": false' in self.text("result"), self.text("result"))
        self.screenshot("upload")

    def test_every_example_is_good(self):
        self.sign_in()
        self.click("#tab-examples")
        for place in range(len(self.all("#examples button"))):
            before = len(self.all("#tabs [role=tab]"))
            self.all("#examples button")[place].click()
            self.wait_until(lambda: len(self.all("#tabs [role=tab]")) == before + 1)
            document = self.text("query")
            with self.subTest(document):
                faults = self.driver.execute_async_script(VALIDATE, document, self.text("variables"))
                self.assertEqual(faults, [])

    def test_listens_over_a_websocket_and_goes_on_after_the_last_position(self):
        """The module that the page listens with, on a query: it is answered by one event, and then it is over."""
        heard = self.driver.execute_async_script(LISTEN)
        self.assertEqual(heard["states"], ["connecting", "listening", "ended"])
        self.assertEqual(heard["events"], [{"data": {"__typename": "Query"}}])
        # Where the server has told a position, the next connection asks for what follows it.
        self.assertEqual(self.driver.execute_async_script(RESUME), [None, "7"])


class Around(PlaygroundTestCase):
    def test_searches_the_documentation_by_keyboard(self):
        self.press(Keys.CONTROL, "k")
        self.type("addchore")
        self.wait_for("#docs", "Mutation.addChore")
        self.press(Keys.ENTER)
        self.wait_for("#docs h3", "Mutation")
        self.wait_for("#docs .chosen", "addChore")
        self.click("#docs .chosen button", "AddChoreInput")
        self.wait_for("#docs h3", "AddChoreInput")
        self.click("#docs-back")
        self.wait_for("#docs h3", "Mutation")

    def test_builds_a_query_by_clicking(self):
        self.write("query", "")
        self.click("#tab-builder")
        for path in ["family", "family/name", "family/chores", "family/chores/(first:)", "family/chores/totalCount"]:
            self.wait_until(lambda: self.find(f'[data-path="{path}"]')).click()
        expected = (
            "query ($first: Int) {\n  family {\n    id\n    name\n    chores(first: $first) {\n"
            "      __typename\n      totalCount\n    }\n  }\n}\n"
        )
        self.wait_until(lambda: self.text("query") == expected)
        self.find('[data-path="family/chores"]').click()
        self.wait_until(lambda: "chores" not in self.text("query"))

    def test_keeps_tabs_and_history_between_visits(self):
        self.write("query", "query First { __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.click("#tab-new")
        self.write("query", "query Second { __typename }")
        self.wait_for("#tabs [aria-selected=true]", "Second")
        self.find("#tabs [aria-selected=true]").send_keys(Keys.ARROW_LEFT)
        self.wait_until(lambda: "First" in self.text("query"))
        self.driver.refresh()
        self.wait_until(lambda: "First" in self.text("query"))
        self.assertEqual(len(self.all("#tabs [role=tab]")), 2)
        self.find("#tabs [aria-selected=true]").send_keys(Keys.DELETE)
        self.wait_until(lambda: "Second" in self.text("query"))
        self.click("#tab-history")
        self.click("#history button", "First")
        self.wait_until(lambda: "First" in self.text("query"))

    def test_shares_a_request_by_its_address(self):
        self.driver.get("about:blank")
        self.driver.get(f"{URL}#query=%7B+shared%3A+__typename+%7D&variables=%7B%22a%22%3A1%7D")
        self.wait_until(lambda: self.text("query") == "{ shared: __typename }")
        self.assertEqual(self.text("variables"), '{"a":1}')
        self.assertEqual(self.driver.current_url, URL)

    def test_copies_the_request_as_a_program(self):
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.write("query", "{ __typename }")
        for language, expected in [
            ("curl", "curl --fail-with-body"), ("Swift", "URLRequest("), ("TypeScript", "await fetch("), ("Python", "urlopen("),
        ]:
            Select(self.find("#copy-as")).select_by_visible_text(language)
            self.wait_for("#toast", f"{language} copied.")
            copied = self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
            self.assertIn(expected, copied)
            self.assertIn("__typename", copied)

    def test_switches_the_theme_and_remembers_it(self):
        background = "return getComputedStyle(document.body).backgroundColor"
        light = self.driver.execute_script(background)
        self.click("#theme")
        dark = self.driver.execute_script(background)
        self.assertNotEqual(light, dark)
        self.driver.refresh()
        self.assertEqual(self.driver.execute_script(background), dark)

    def test_all_of_it_by_keyboard(self):
        """From the top of the page: to the tools, a person, out of the editor again."""
        seen = []
        for _ in range(14):
            self.press(Keys.TAB)
            seen.append(self.focused().get_attribute("id") or self.focused().text.split("\n")[0])
        self.assertIn("theme", seen)
        self.assertIn("tab-account", seen)
        person = self.wait_for("#demo-people button", "Mia")
        self.driver.execute_script("arguments[0].focus()", person)
        self.press(Keys.ENTER)
        self.wait_for("#session-state", "Signed in: Mia")
        self.driver.execute_script("document.querySelector('#query .cm-content').focus()")
        self.press(Keys.ESCAPE)
        self.press(Keys.TAB)
        self.assertEqual(self.focused().get_attribute("id"), "tab-variables")
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.focused().get_attribute("id"), "tab-headers")
        self.assertTrue(self.find("#headers-panel").is_displayed())


if __name__ == "__main__":
    unittest.main()
