"""The playground, used as people use it: with a pointer, and by keyboard alone."""

import base64
import json
import os
import pathlib
import subprocess
import sys
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

# Formats documents, and says of texts whether they contain a password or a token.
LANGUAGE = """
const [documents, texts, done] = arguments;
Promise.all([import("/graphql/playground/language/prettify.js"), import("/graphql/playground/memory.js")])
  .then(([{ prettify }, { holdsSecret }]) => done([documents.map((text) => prettify(text)), texts.map((text) => holdsSecret(text))]));
"""

ASSIGN = "mutation ($input: AssignPointsInput!) { assignPoints(input: $input) { userErrors { code } } }"

# What the cards say of each word of a document, without the scalars that it has types of.
MEANINGS = """
const [document, done] = arguments;
Promise.all([import("/graphql/playground/language/hover.js"), import("/graphql/playground/schema/load.js")])
  .then(async ([{ meaning }, { loadSchema }]) => {
    const schema = await loadSchema();
    done(Array.from(document.matchAll(/[@$]?\\w+/g), ({ index }) => {
      const found = meaning(document, index, schema);
      return found && !found.title.startsWith("scalar") && [found.title, found.type].filter((part) => part !== "").join(": ");
    }));
  });
"""

# Records the bodies of the requests that the page runs, as text.
BODIES = """
window.bodies = [];
const send = window.fetch;
window.fetch = (address, options) => {
  if (String(address).endsWith("/graphql")) window.bodies.push(options.body);
  return send(address, options);
};
"""

# The operations of a form with a file, whose variables contain a value of the environment.
FORM = """
const [text, done] = arguments;
Promise.all([import("/graphql/playground/json-object.js"), import("/graphql/playground/transport.js")])
  .then(([{ readVariables }, { multipart }]) => {
    const { value } = readVariables(text, { list: [1] });
    done(JSON.stringify(multipart({ variables: value }, [{ path: ["variables", "file"] }]).operations));
  });
"""

# A schema with something deprecated, in the documentation.
SHOW_DEPRECATED = """
const done = arguments[0];
Promise.all([import("/graphql/playground/schema/explorer.js"), import("/graphql/playground/schema/schema.js")])
  .then(([{ Explorer }, { Schema }]) => {
    document.getElementById("tab-docs").click();
    const explorer = new Explorer();
    explorer.schema = new Schema('type Query { "Of old." old: Int @deprecated(reason: "Ask new.") new: Int }');
    explorer.open("Query");
    done();
  });
"""

# The focused element, and the width of its outline.
FRAME = """
const focused = document.activeElement;
const style = focused.closest(".cm-content") ? getComputedStyle(focused.closest(".editor"), "::after") : getComputedStyle(focused);
const width = focused.closest(".cm-content") ? style.borderTopWidth : style.outlineStyle === "none" ? "0" : style.outlineWidth;
// Behind the last one the browser's own begin.
return focused === document.body ? null : { name: focused.id || focused.ariaLabel || focused.textContent, frame: parseFloat(width) };
"""

# Before the page's scripts: a server that stores nothing at the moment.
WITHOUT_RENEWAL = """
const send = window.fetch;
window.fetch = async (address, options) => {
  if (window.isAvailable || !options?.body?.includes?.("RefreshSession")) return send(address, options);
  const errors = [{ message: "The server cannot store anything.", extensions: { code: "STORAGE_UNAVAILABLE" } }];
  return new Response(JSON.stringify({ data: null, errors }), { headers: { "Content-Type": "application/json" } });
};
"""

# As if from another device, with the same session.
SIGN_OUT_ELSEWHERE = """
const { accessToken } = JSON.parse(sessionStorage.getItem("hearth.session"));
fetch("/graphql", {
  method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${accessToken}` },
  body: JSON.stringify({ query: "mutation { signOut { __typename } }" }),
}).then(arguments[0]);
"""

LISTEN = """
const done = arguments[0];
const load = (name) => import(`/graphql/playground/${name}.js`);
Promise.all([load("subscription"), load("web-socket")]).then(([{ Subscription }, { connectWebSocket }]) => {
  const heard = { states: [], events: [] };
  const subscription = new Subscription({ query: "{ __typename }" }, {
    authorization: async () => null, headers: {}, connect: () => connectWebSocket,
  });
  subscription.addEventListener("event", ({ detail }) => heard.events.push(detail));
  subscription.addEventListener("state", ({ target }) => {
    heard.states.push(target.state);
    if (target.state === "ended") done(heard);
  });
  subscription.start();
});
"""

# Replaces the browser's WebSocket: it sends an event with a position, breaks, and is reconnected.
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
    const { id, type, payload } = JSON.parse(text);
    if (type === "connection_init") return this.tell({ type: "connection_ack" });
    if (id !== "events") return;
    asked.push(payload.extensions?.position ?? null);
    if (asked.length === 2) { window.WebSocket = Real; return done(asked); }
    this.tell({ id, type: "next", payload: { data: {}, extensions: { position: "7" } } });
    this.dispatchEvent(new CloseEvent("close", { code: 1001, reason: "SHUTTING_DOWN" }));
  }
};
const load = (name) => import(`/graphql/playground/${name}.js`);
Promise.all([load("subscription"), load("web-socket")]).then(([{ Subscription }, { connectWebSocket }]) =>
  new Subscription({ query: "subscription { x }" }, {
    authorization: async () => null, headers: {}, connect: () => connectWebSocket,
  }).start());
"""

# The server prepares a long document on another thread: other operations overtake it, but not the pong.
BEGIN = """
const done = arguments[0];
const seen = [];
const Real = window.WebSocket;
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  constructor() { super(); setTimeout(() => this.dispatchEvent(new Event("open"))); }
  close() {}
  tell(message) { this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) })); }
  send(text) {
    const { id, type, payload } = JSON.parse(text);
    if (type === "connection_init") return this.tell({ type: "connection_ack" });
    if (type === "ping") return setTimeout(() => { seen.push("prepared"); this.tell({ type: "pong", payload }); });
    if (id === "events") return setTimeout(() => { window.WebSocket = Real; done(seen); }, 100);
    this.tell({ id, type: "next", payload: { data: {} } });
    return this.tell({ id, type: "complete" });
  }
};
const load = (name) => import(`/graphql/playground/${name}.js`);
Promise.all([load("subscription"), load("web-socket")]).then(([{ Subscription }, { connectWebSocket }]) => {
  const subscription = new Subscription({ query: "subscription { x }" }, {
    authorization: async () => null, headers: {}, connect: () => connectWebSocket,
  });
  subscription.addEventListener("state", ({ target }) => seen.push(target.state));
  subscription.start();
});
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
            ("query ($order: ChoreOrder = ", "PRIORITY"),
            ("{ viewer { ... on Ch", "Child"),
            ("fragment Named on Child { name } { family { children { ...Na", "Named"),
            ("mutation ($input: AddChoreInput!) { addChore(input: {freq", "frequency"),
            ("{ __sch", "__schema"),
            ("{ __schema { types { fields { ty", "type"),
        ]:
            with self.subTest(text):
                self.write("query", "")
                self.type(text)
                self.press(Keys.CONTROL, Keys.SPACE)
                self.wait_for(".cm-tooltip-autocomplete li", expected)
                self.press(Keys.ESCAPE)

    def test_completes_the_variables(self):
        self.write("query", "mutation ($input: AddChoreInput!) { addChore(input: $input) { chore { id } } }")
        self.write("variables", "")
        for text, expected in [('{"', '"input"'), ('input": {"prio', '"priority"'), ('rity": 3, "frequency": "', "WEEKLY")]:
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
        self.write("query", ASSIGN)
        self.write("variables", '{"first": 3, "input": {"childId": "a", "chores": [{"choreId": "b", "points": 1}, {"choreId": 7.5}]}}')
        self.wait_for("#variables-error", "input.chores[1]")
        self.wait_until(lambda: any("7.5" in fault.text for fault in self.all("#variables .fault")))
        self.assertFalse(any("childId" in fault.text or '"b"' in fault.text for fault in self.all("#variables .fault")))
        # Each problem is listed with its line, which one can go to.
        self.write("variables", '{\n  "input": {\n    "childId": 1.5,\n    "chores": [\n      {"choreId": 7.5, "points": "x"}\n    ]\n  }\n}')
        self.wait_until(lambda: [one.text for one in self.all("#variables-error li button")] == ["Line 3", "Line 5", "Line 5"])
        self.click("#variables-error button", "Line 5")
        self.wait_until(lambda: "choreId" in self.find("#variables .cm-activeLine").text)
        self.screenshot("problems-of-variables")
        self.write("query", "query ($first: Int!) { family { chores(first: $first) { totalCount } } }")
        self.write("variables", '{"first": 3')
        self.wait_for("#variables-error", "Not JSON yet")
        self.write("variables", '{"first": 3}')
        self.wait_until(lambda: not self.all(".fault") and self.find("#variables-error").text == "")
        self.sign_in()
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: "totalCount" in self.text("result"))

    def test_points_at_the_query_where_a_variable_is_used_wrongly(self):
        self.write("query", "query ($a: String) { family { chores(first: $a) { totalCount } } }")
        self.wait_for("#problems", "used in position expecting type")
        self.wait_for("#query .fault", "$a")
        self.assertEqual(self.find("#variables-error").text, "")

    def test_checks_the_headers(self):
        self.click("#tab-headers")
        for text, expected in [
            ('{"X-Name": 3}', "The header X-Name must be a string."), ('["X-Name"]', "Headers are one JSON object"),
            ('{"X Name": "3"}', "invalid name or value"), ('{"X-Name"', "Not JSON yet"),
        ]:
            self.write("headers", text)
            self.wait_for("#headers-error", expected)
            self.wait_for("#headers .fault")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Not JSON yet")
        self.write("headers", '{"authorization": "Bearer nonsense"}')
        self.wait_until(lambda: self.find("#headers-error").text == "")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#errors", "TOKEN_MALFORMED")

    def test_a_request_that_is_not_sent_replaces_the_previous_result(self):
        self.write("query", "{ family { name } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#errors", "UNAUTHENTICATED")
        self.click("#tab-headers")
        self.write("headers", '{"X-Name"')
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Not JSON yet")
        self.wait_until(lambda: not self.all("#errors li") and self.text("result") == "")

    def test_prettifies(self):
        self.write("query", "query Q($a:Int=1){family{chores(first:$a){totalCount}}}")
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        expected = "query Q($a: Int = 1) {\n  family {\n    chores(first: $a) {\n      totalCount\n    }\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == expected)

    def test_prettifies_comments_among_arguments(self):
        self.write("query", "{ a(x: {a: 1 # why\n b: [1 # one\n 2 {} ]}, y: 2) ... @skip(if: true) { b } }")
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        expected = (
            "{\n  a(\n    x: {\n      a: 1 # why\n      b: [\n        1 # one\n        2\n        {}\n      ]\n    }\n"
            "    y: 2\n  )\n  ... @skip(if: true) {\n    b\n  }\n}\n"
        )
        self.wait_until(lambda: self.text("query") == expected)

    def test_prettifying_loses_nothing(self):
        """Neither invalid GraphQL, nor the operation at the caret of several."""
        self.write("query", "// one\n{a;b}")
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        self.wait_for("#toast", "Not prettified")
        self.assertEqual(self.text("query"), "// one\n{a;b}")
        self.write("query", "query One{__typename}query Two{two:__typename}")
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        self.wait_until(lambda: "query Two {\n  two: __typename\n}" in self.text("query"))
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: '"two": "Query"' in self.text("result"))

    def test_prettifying_changes_no_value(self):
        """Neither blank lines of a block string, nor what follows a comment in a default value; an unclosed string stays as it is."""
        documents = [
            'query Q{a(x:"""one\n\n\n\n  two\n""")}query R{b}',
            "query ($a: [Int] = [1 # one\n 2]) { a(x: $a) }",
            '{ a(x: "one\n y: 2) }',
        ]
        formatted, _ = self.driver.execute_async_script(LANGUAGE, documents, [])
        self.assertEqual(formatted, [
            'query Q {\n  a(x: """one\n\n\n\n  two\n""")\n}\n\nquery R {\n  b\n}\n',
            "query (\n  $a: [Int] = [\n    1 # one\n    2\n  ]\n) {\n  a(x: $a)\n}\n",
            None,
        ])

    def test_prettifies_around_comments(self):
        self.write("query", "# above\nquery Q{# beside\nfamily{name # of them\n# before\nchildren{name}}\n# end\n}\n# below")
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        expected = (
            "# above\nquery Q { # beside\n  family {\n    name # of them\n    # before\n    children {\n      name\n    }\n"
            "  }\n  # end\n}\n\n# below\n"
        )
        self.wait_until(lambda: self.text("query") == expected)

    def test_tells_what_the_name_under_the_pointer_means(self):
        self.write("query", "{ family { name } }")
        field = self.wait_for("#query .t-field", "family")
        ActionChains(self.driver).move_to_element(field).perform()
        self.assertIn("Query.family: Family", self.wait_for(".hover-card").text)
        self.click(".hover-card button")
        self.wait_for("#docs .chosen", "family")

    def test_knows_what_every_name_means(self):
        document = (
            "query Q($count: Int, $order: ChoreOrder = PRIORITY) { family { chores(first: $count, orderBy: $order, "
            "filter: {status: OPEN}) @include(if: true) { nodes { ...Line } } } } fragment Line on Chore { dueAt }"
        )
        self.assertEqual(
            [title for title in self.driver.execute_async_script(MEANINGS, document) if title],
            [
                "$count: Int", "$order: ChoreOrder", "enum ChoreOrder", "ChoreOrder.PRIORITY", "Query.family: Family",
                "Family.chores: ChoreConnection!", "chores(first:): Int", "$count: Int", "chores(orderBy:): ChoreOrder",
                "$order: ChoreOrder", "chores(filter:): ChoreFilter", "ChoreFilter.status: ChoreStatus", "ChoreStatus.OPEN",
                "@include", "include(if:): Boolean!", "ChoreConnection.nodes: [Chore!]!", "fragment Line on Chore",
                "type Chore", "Chore.dueAt: DateTime",
            ],
        )

    def test_merges_fragments_by_keyboard(self):
        self.write("query", "{ family { ...Named } } fragment Named on Family { name children { ...Of @include(if: true) } } fragment Of on Child { name }")
        self.press(Keys.CONTROL, Keys.SHIFT, "m")
        expected = "{\n  family {\n    name\n    children {\n      ... on Child @include(if: true) {\n        name\n      }\n    }\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == expected)
        # A document that cannot be merged stays unchanged.
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
        """The module for subscriptions, with a query: it gets one event and completes."""
        heard = self.driver.execute_async_script(LISTEN)
        self.assertEqual(heard["states"], ["connecting", "listening", "ended"])
        self.assertEqual(heard["events"], [{"data": {"__typename": "Query"}}])
        # If the server has sent a position, the next connection resumes after it.
        self.assertEqual(self.driver.execute_async_script(RESUME), [None, "7"])

    def test_listens_when_the_subscription_has_begun(self):
        self.assertEqual(self.driver.execute_async_script(BEGIN), ["connecting", "prepared", "listening"])


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

    def test_marks_what_is_deprecated(self):
        """In a schema of its own: Hearth's has nothing deprecated."""
        self.driver.execute_async_script(SHOW_DEPRECATED)
        self.wait_for("#docs .gone", "old")
        self.wait_for("#docs .deprecated", "Deprecated: Ask new.")
        self.find("#docs-search").send_keys("old")
        self.wait_for("#docs button", "Deprecated: Ask new.")

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
        self.wait_until(lambda: self.text("query") == "query {\n  family {\n    id\n    name\n  }\n}\n")
        self.find("#query .cm-content").click()
        self.press(Keys.CONTROL, "z")
        self.wait_until(lambda: self.text("query") == expected)

    def test_builds_on_where_brackets_are_open(self):
        self.click("#tab-builder")
        self.write("query", "query Q { family { name ")
        self.wait_until(lambda: self.find('[data-path="viewer"]')).click()
        expected = "query Q {\n  family {\n    name\n  }\n  viewer {\n    __typename\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == expected)

    def test_builds_with_variables_of_their_own(self):
        self.write("query", "")
        self.click("#tab-builder")
        Select(self.find("#builder-operation")).select_by_visible_text("mutation")
        for path in ["addChild", "addItem"]:
            self.wait_until(lambda: self.find(f'[data-path="{path}"]')).click()
        self.wait_until(lambda: "addItem(input: $input2)" in self.text("query"))
        self.assertIn("mutation ($input: AddChildInput!, $input2: AddItemInput!) {", self.text("query"))
        self.find('[data-path="addChild"]').click()
        self.wait_until(lambda: "mutation ($input2: AddItemInput!) {\n  addItem(" in self.text("query"))

    def test_keeps_tabs_and_history_between_visits(self):
        self.write("query", "query First { __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.click("#tab-new")
        self.write("query", "query Second { __typename }")
        self.wait_for("#tabs [aria-selected=true]", "Second")
        self.find("#tabs [aria-selected=true]").send_keys(Keys.ARROW_LEFT)
        self.wait_until(lambda: "First" in self.text("query"))
        self.reload()
        self.wait_until(lambda: "First" in self.text("query"))
        self.assertEqual(len(self.all("#tabs [role=tab]")), 2)
        self.find("#tabs [aria-selected=true]").send_keys(Keys.DELETE)
        self.wait_until(lambda: "Second" in self.text("query"))
        self.click("#tab-history")
        self.click("#history button", "First")
        self.wait_until(lambda: "First" in self.text("query"))

    def test_begins_whatever_was_kept(self):
        for kept in ["{broken", "7", '{"tabs": [{"query": 5}, null, {}], "current": 9}', '[{"x": 1}, null]', '{"side": "x", "answer": 1e9}']:
            for name in ["tabs", "history", "edges", "theme"]:
                self.driver.execute_script("localStorage.setItem(`hearth.${arguments[0]}`, arguments[1])", name, kept)
            self.driver.execute_script("sessionStorage.clear()")
            self.reload()
            self.wait_until(lambda: self.driver.execute_script("return document.documentElement.dataset.ready === 'true'"), kept)
            self.assertIn("Dashboard", self.text("query"))
            self.assertTrue(self.find("#run").is_displayed())

    def test_undoes_only_what_was_done_in_a_tab(self):
        self.write("query", "query One { __typename }")
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.write("query", "query Two { __typename }")
        for _ in range(4):
            self.press(Keys.CONTROL, "z")
        self.assertEqual(self.text("query"), "")
        self.press(Keys.CONTROL, Keys.SHIFT, "z")
        self.wait_until(lambda: "Two" in self.text("query"))
        self.press(Keys.ALT, Keys.SHIFT, ",")
        self.wait_until(lambda: "One" in self.text("query"))
        self.press(Keys.CONTROL, "z")
        self.wait_until(lambda: "Dashboard" in self.text("query"))

    def test_keeps_each_answer_with_its_tab(self):
        self.write("query", "query One { one: __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: '"one": "Query"' in self.text("result"))
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.wait_until(lambda: self.text("result") == "" and self.find("#status").text == "")
        self.write("query", "{ nothing }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#errors", "nothing")
        self.press(Keys.ALT, Keys.SHIFT, ",")
        self.wait_until(lambda: '"one": "Query"' in self.text("result") and not self.find("#errors").is_displayed())
        self.wait_for("#status", "200")

    def test_keeps_each_file_with_its_tab(self):
        self.click("#tab-examples")
        self.click("#examples button", "Add a thing")
        self.click("#tab-files")
        with tempfile.NamedTemporaryFile(suffix=".png") as picture:
            self.wait_until(lambda: self.find("#files input")).send_keys(picture.name)
            self.wait_for("#files-count", "(1)")
        self.click("#examples button", "Add a thing")
        self.click("#tab-files")
        self.wait_until(lambda: self.find("#files-count").text == "" and self.find("#files input").get_attribute("value") == "")
        self.press(Keys.ALT, Keys.SHIFT, ",")
        self.wait_for("#files-count", "(1)")
        self.assertTrue(self.find("#files input").get_attribute("value").endswith(".png"))

    def test_has_room_for_many_tabs(self):
        for number in range(25):
            self.press(Keys.ALT, Keys.SHIFT, "t")
            self.driver.execute_cdp_cmd("Input.insertText", {"text": f"query WithALongName{number} {{ __typename }}"})
        self.assertEqual(len(self.all("#tabs [role=tab]")), 26)
        place = "const panel = document.querySelector('.ask'); return [panel.scrollLeft, panel.scrollWidth - panel.clientWidth]"
        self.assertEqual(self.driver.execute_script(place), [0, 0])
        self.assertTrue(self.find("#tab-new").is_displayed())

    def test_keeps_the_tabs_of_two_windows_apart_and_their_history_together(self):
        first = self.driver.current_window_handle
        with self.second_window() as second:
            self.write("query", "query Second { __typename }")
            self.press(Keys.CONTROL, Keys.ENTER)
            self.wait_for("#status", "200")
            self.driver.switch_to.window(first)
            self.write("query", "query First { __typename }")
            self.press(Keys.CONTROL, Keys.ENTER)
            self.wait_for("#status", "200")
            self.click("#tab-history")
            self.wait_for("#history button", "First")
            self.wait_for("#history button", "Second")
            self.driver.switch_to.window(second)
            self.reload()
            self.wait_until(lambda: "Second" in self.text("query"))

    def test_renews_the_session_for_windows_that_have_it_too(self):
        self.sign_in()
        session = "return JSON.parse(sessionStorage.getItem('hearth.session'))"
        first, kept = self.driver.current_window_handle, self.driver.execute_script(session)
        with self.second_window() as second:
            # As a browser doubles a window.
            self.driver.execute_script("sessionStorage.setItem('hearth.session', arguments[0])", json.dumps(kept))
            self.reload()
            self.wait_for("#session-state", "Signed in: Ada")
            self.driver.switch_to.window(first)
            self.driver.execute_script(
                "sessionStorage.setItem('hearth.session', arguments[0])", json.dumps(kept | {"expiresAt": "2020-01-01T00:00:00Z"})
            )
            self.reload()
            self.wait_until(lambda: self.driver.execute_script(session)["refreshToken"] != kept["refreshToken"])
            renewed = self.driver.execute_script(session)
            self.driver.switch_to.window(second)
            self.wait_until(lambda: self.driver.execute_script(session) == renewed)
            self.write("query", "{ family { name } }")
            self.press(Keys.CONTROL, Keys.ENTER)
            self.wait_for("#status", "200")
            self.wait_until(lambda: "Lovelace" in self.text("result"))

    def test_stays_signed_in_while_the_server_cannot_renew_the_session(self):
        self.sign_in()
        session = "return JSON.parse(sessionStorage.getItem('hearth.session'))"
        kept = self.driver.execute_script(session)

        def expire(**changes):
            expired = json.dumps(kept | {"expiresAt": "2020-01-01T00:00:00Z"} | changes)
            self.driver.execute_script("sessionStorage.setItem('hearth.session', arguments[0])", expired)
            self.reload()

        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WITHOUT_RENEWAL})
        expire()
        self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        self.click("#tab-docs")
        self.wait_for("#docs", "The server cannot store anything.")
        self.wait_for("#session-state", "Signed in: Ada")
        self.assertEqual(self.driver.execute_script(session)["refreshToken"], kept["refreshToken"])
        self.driver.execute_script("window.isAvailable = true")
        self.write("query", "{ family { name } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: "Lovelace" in self.text("result"))
        self.assertNotEqual(self.driver.execute_script(session)["refreshToken"], kept["refreshToken"])
        # Rejected credentials end the session.
        expire(refreshToken="nonsense")
        self.wait_for("#session-state", "Not signed in")
        self.wait_for("#sign-in-error", "Your session has ended.")

    def test_notices_that_the_session_has_ended(self):
        self.sign_in()
        self.driver.execute_async_script(SIGN_OUT_ELSEWHERE)
        self.write("query", "{ family { name } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#errors", "TOKEN_REVOKED")
        self.wait_for("#session-state", "Not signed in")
        self.wait_for("#sign-in-error", "Your session has ended.")

    def test_opens_what_is_shared_where_the_page_is_open_already(self):
        self.write("query", "query Mine { __typename }")
        self.driver.get(f"{URL}#query=%7B+shared%3A+__typename+%7D")
        self.wait_until(lambda: self.text("query") == "{ shared: __typename }")
        self.assertEqual([tab.text for tab in self.all("#tabs [role=tab]")], ["Mine", "__typename"])

    def test_shares_a_request_by_its_address(self):
        self.driver.get("about:blank")
        self.driver.get(f"{URL}#query=%7B+shared%3A+__typename+%7D&variables=%7B%22a%22%3A1%7D")
        self.wait_until(lambda: self.text("query") == "{ shared: __typename }")
        self.assertEqual(self.text("variables"), '{"a":1}')
        self.assertEqual(self.driver.current_url, URL)

    def test_shares_what_it_has_but_no_secret(self):
        self.sign_in()
        self.write("query", "query ($search: String) { viewer { ... on Account { contacts(query: $search) { totalCount } } } }")
        self.write("variables", '{"search": "Ü & #"}')
        self.click("#share")
        address = self.copied("Address")
        token = self.driver.execute_script("return JSON.parse(sessionStorage.getItem('hearth.session')).accessToken")
        self.assertNotIn(token, address)
        query = self.text("query")
        self.driver.get("about:blank")
        self.driver.get(address)
        self.wait_until(lambda: self.text("query") == query)
        self.assertEqual(self.text("variables"), '{"search": "Ü & #"}')
        self.write("variables", '{"password": "of mine"}')
        self.click("#share")
        self.assertNotIn("mine", self.copied("Address"))
        self.write("query", 'mutation { signIn(input: {email: "ada@example.com", password: "of mine"}) { userErrors { code } } }')
        self.click("#share")
        self.wait_for("#toast", "The query contains a password or a token")

    def test_finds_a_secret_however_it_is_written(self):
        secrets = [
            'mutation ($password: String = "of mine") { a }',
            'mutation ($password: [String!]! # why\n = ["of mine"]) { a }',
            'mutation ($input: SignInInput = {email: "ada@example.com", password: "of mine"}) { a }',
            'mutation { signIn(input: {password: """of mine"""}) { a } }',
            'mutation { signIn(input: {password: # why\n "of mine"}) { a } }',
            'mutation { a(tokens: ["", "of mine"]) }',
            # Being typed.
            'mutation { signIn(input: {password: """of mi',
            'mutation { signIn(input: {email: "ada, password: """of mine"""}) { a } }',
            'mutation ($email: String = "ada, $password: String = "of mine") { a }',
            '{"tokens": ["of mine"]}',
        ]
        others = [
            'query ($token: String, $name: String = "Ada") { a }',
            'query ($token: String "The name." $name: String) { a }',
            '{ password: viewer(name: "Ada") token other(name: "Ada") }',
            '{ a(password: "", token: """""", name: "Ada") }',
            '{ a(password: "{{password}}", token: """{{token}}""", key: $password, name: "Ada") }',
            "headers = {Authorization: environment[\"token\"]}",
        ]
        _, found = self.driver.execute_async_script(LANGUAGE, [], secrets + others)
        self.assertEqual([text for text, is_secret in zip(secrets + others, found) if is_secret], secrets)
        # It is in nothing that is stored, and is not shared.
        self.write("query", secrets[0])
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "·")
        self.assertNotIn("of mine", self.driver.execute_script("return JSON.stringify({...localStorage, ...sessionStorage})"))
        self.click("#share")
        self.wait_for("#toast", "The query contains a password or a token")

    def test_copies_the_request_as_a_program_that_runs(self):
        self.sign_in()
        self.write("query", "query Find($name: String!) {\n  family { name }\n  search(query: $name, first: 1) { totalCount }\n}")
        self.write("variables", json.dumps({"name": "it's \"Zoë\" \\n $HOME `x` \\(1) #\"\"\""}, ensure_ascii=False))
        self.wait_until(lambda: "Find" in self.find("#tabs").text)
        token = self.driver.execute_script("return JSON.parse(sessionStorage.getItem('hearth.session')).accessToken")
        for language, run in [
            ("curl", self.run_shell), ("Swift", self.run_swift), ("TypeScript", self.run_script), ("Python", self.run_python),
        ]:
            with self.subTest(language):
                Select(self.find("#copy-as")).select_by_visible_text(language)
                copied = self.copied(language)
                self.assertNotIn(token, copied)
                answer = run(copied, os.environ | {"HEARTH_TOKEN": token})
                self.assertIn("Lovelace family", answer)
                self.assertIn("totalCount", answer)
                self.assertNotIn("errors:", answer)

    def test_large_integers_keep_their_digits(self):
        """JavaScript rounds them: so scripts, the builder and refactorings still do."""
        large = "12345678901234567890"
        self.driver.execute_script(BODIES)
        self.write("query", "query ($id: ID!) { node(id: $id) { id } }")
        self.write("variables", '{"id":%s}' % large)
        self.press(Keys.CONTROL, Keys.ENTER)
        body = self.wait_until(lambda: self.driver.execute_script("return window.bodies.at(-1)"))
        self.assertIn('"variables":{"id":%s}' % large, body)
        self.press(Keys.CONTROL, Keys.SHIFT, "p")
        self.wait_until(lambda: self.text("variables") == '{\n  "id": %s\n}' % large)
        for language in ("curl", "Python"):
            Select(self.find("#copy-as")).select_by_visible_text(language)
            self.assertIn(f'"id": {large}', self.copied(language))
        form = self.driver.execute_async_script(FORM, '{"id": %s, "list": "{{list}}"}' % large)
        self.assertEqual(form, '{"variables":{"id":%s,"list":[1],"file":null}}' % large)

    def test_copies_a_subscription_as_a_program_that_listens(self):
        self.write("query", "subscription { familyChanged { __typename } }")
        # As in some versions of Safari.
        self.driver.execute_script("delete ReadableStream.prototype[Symbol.asyncIterator]")
        for language, run in [("curl", self.run_shell), ("TypeScript", self.run_script), ("Python", self.run_python)]:
            with self.subTest(language):
                Select(self.find("#copy-as")).select_by_visible_text(language)
                # The sign-out is reported by an event.
                self.assertIn("UNAUTHENTICATED", run(self.copied(language), os.environ | {"HEARTH_TOKEN": ""}))

    def test_copies_a_request_with_a_picture(self):
        self.sign_in()
        self.click("#tab-examples")
        self.click("#examples button", "Add a thing")
        self.click("#tab-files")
        token = self.driver.execute_script("return JSON.parse(sessionStorage.getItem('hearth.session')).accessToken")
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder, "it's; a \"picture\".png")
            picture.write_bytes(PIXEL)
            self.wait_until(lambda: self.find("#files input")).send_keys(str(picture))
            self.wait_for("#files-count", "(1)")
            Select(self.find("#copy-as")).select_by_visible_text("curl")
            program = f"cd {folder}\n{self.copied('curl')}"
            self.assertIn('"placeholder":false', self.run_shell(program, os.environ | {"HEARTH_TOKEN": token}))

    def copied(self, what):
        self.wait_for("#toast", f"{what} copied.")
        return self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")

    def run_shell(self, program, environment):
        return self.command(["bash", "-c", program], environment)

    def run_python(self, program, environment):
        return self.command([sys.executable, "-c", program], environment)

    def run_swift(self, program, environment):
        with tempfile.TemporaryDirectory() as folder:
            main = pathlib.Path(folder, "main.swift")
            main.write_text(program)
            self.command(["swiftc", "-swift-version", "6", "-o", f"{folder}/main", str(main)], environment)
            return self.command([f"{folder}/main"], environment)

    def run_script(self, program, environment):
        """In the page, as if it were a program."""
        token = json.dumps(environment["HEARTH_TOKEN"])
        log = "const console = {log(...all) { said.push(JSON.stringify(all)) }};"
        # The page runs it without its types.
        program = program.replace("response.body!", "response.body")
        text = f"(async () => {{ const said = []; {log} const process = {{env: {{HEARTH_TOKEN: {token}}}}}; {program}\nreturn said.join() }})()"
        result = self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": text, "awaitPromise": True})
        return result["result"]["value"]

    def command(self, command, environment):
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_moves_the_edges_between_panels(self):
        def widths():
            return [self.find(panel).size["width"] for panel in (".side", ".ask", ".answer")]

        edge = self.find('[aria-controls="answer"]')
        side, ask, answer = widths()
        ActionChains(self.driver).drag_and_drop_by_offset(edge, -150, 0).perform()
        for place, expected in enumerate([side, ask - 150, answer + 150]):
            self.assertAlmostEqual(widths()[place], expected, delta=2)
        wide = widths()
        edge.send_keys(Keys.ARROW_RIGHT)
        self.assertLess(widths()[2], wide[2])
        self.assertLess(int(edge.get_attribute("aria-valuenow")), 50)
        kept = widths()
        self.reload()
        self.wait_until(lambda: widths() == kept)
        edge = self.find('[aria-controls="answer"]')
        ActionChains(self.driver).drag_and_drop_by_offset(edge, -600, 0).perform()
        self.assertGreater(widths()[1], 100)
        ActionChains(self.driver).double_click(edge).perform()
        self.assertEqual(widths(), [side, ask, answer])
        below = self.find(".below").size["height"]
        self.find('[aria-controls="below"]').send_keys(Keys.ARROW_UP)
        self.assertGreater(self.find(".below").size["height"], below)

    def test_searches_within_an_answer(self):
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "·")
        self.find("#result .cm-content").click()
        self.press(Keys.CONTROL, "f")
        self.type("errors")
        self.wait_for("#result .cm-searchMatch", "errors")
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.all("#result .cm-search"))

    def test_switches_the_theme_and_remembers_it(self):
        background = "return getComputedStyle(document.body).backgroundColor"
        light = self.driver.execute_script(background)
        self.click("#theme")
        dark = self.driver.execute_script(background)
        self.assertNotEqual(light, dark)
        self.reload()
        self.assertEqual(self.driver.execute_script(background), dark)

    def test_signs_in_by_the_form(self):
        self.find("#identifier").send_keys("ada@example.com")
        self.find("#password").send_keys("not hers", Keys.ENTER)
        self.wait_until(lambda: self.find("#sign-in-error").text != "")
        self.assertEqual(self.find("#session-state").text, "Not signed in")
        self.find("#password").clear()
        self.find("#password").send_keys("hearth-demo", Keys.ENTER)
        self.wait_for("#session-state", "Signed in: Ada")
        self.find("#sign-out").send_keys(Keys.ENTER)
        self.wait_for("#session-state", "Not signed in")
        self.assertIsNone(self.driver.execute_script("return sessionStorage.getItem('hearth.session')"))

    def test_folds_and_copies_the_answer(self):
        self.write("query", "{ __schema { queryType { name } } }")
        self.click("#run")
        self.wait_for("#status", "200")
        marks = "#result .cm-foldGutter span[title]"
        self.wait_until(lambda: next(mark for mark in self.all(marks) if mark.is_displayed())).click()
        self.wait_for("#result .cm-foldPlaceholder")
        self.click("#copy-result")
        self.assertEqual(json.loads(self.copied("Result")), {"data": {"__schema": {"queryType": {"name": "Query"}}}})

    def test_shows_where_the_focus_is(self):
        """Every stop on the way through the page has a frame of two pixels or more."""
        self.sign_in()
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.driver.execute_script("document.activeElement.blur(); getSelection().removeAllRanges()")
            seen = set()
            for _ in range(40):
                self.press(Keys.ESCAPE)
                self.press(Keys.TAB)
                stop = self.driver.execute_script(FRAME)
                if stop is None:
                    continue
                seen.add(stop["name"])
                self.assertGreaterEqual(stop["frame"], 2, stop["name"])
            self.assertGreater(len(seen), 15, seen)

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
        self.assertEqual(self.focused().get_attribute("aria-label"), "Height of the variables")
        self.press(Keys.TAB)
        self.assertEqual(self.focused().get_attribute("id"), "tab-variables")
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.focused().get_attribute("id"), "tab-headers")
        self.assertTrue(self.find("#headers-panel").is_displayed())
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.wait_for("#tabs [aria-selected=true]", "New tab")
        self.type("{ family { name")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.press(Keys.ALT, Keys.SHIFT, ",")
        self.wait_for("#tabs [aria-selected=true]", "Dashboard")
        background = "return getComputedStyle(document.body).backgroundColor"
        before = self.driver.execute_script(background)
        self.find("#theme").send_keys(Keys.SPACE)
        self.assertNotEqual(self.driver.execute_script(background), before)
        self.find("#tab-account").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.focused().get_attribute("id"), "tab-builder")
        self.wait_until(lambda: self.find('[data-path="viewer"]')).send_keys(Keys.SPACE)
        self.wait_until(lambda: "viewer" in self.text("query"))


if __name__ == "__main__":
    unittest.main()
