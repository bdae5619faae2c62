"""What the server says of a request, and its answers to several people: cost, times, pages, comparisons, causes of events."""

import json
import re
import unittest

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE, PlaygroundTestCase

CHORES = """query Chores($first: Int = 2) {
  family { chores(first: $first) { nodes { name } pageInfo { hasNextPage endCursor } } }
}"""

PAGES = """
const [data, requests, done] = arguments;
import("/graphql/playground/next-page.js").then(({ nextPages, requestOfNextPage }) => {
  done([nextPages(data), requests.map(([request, page]) => requestOfNextPage({ caret: 0, variables: {}, ...request }, page))]);
});
"""

ROWS = """
const [left, right, done] = arguments;
import("/graphql/playground/line-diff.js").then(({ sideBySide }) =>
  done(sideBySide(left, right).map((row) => [row.left, row.right])));
"""

# What the page has stored, and the addresses that it shows or copies.
STORED = "return JSON.stringify([localStorage, sessionStorage, location.href])"


class Insight(PlaygroundTestCase):
    def run_query(self, text):
        self.write("query", text)
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")

    def test_states_the_cost_while_typing(self):
        # Without that of the first query.
        self.write("query", "")
        self.wait_until(lambda: self.find("#cost").text == "")
        self.write("query", "query Q($n: Int!) { family { chores(first: $n) { nodes { name } } } }")
        self.write("variables", '{"n": 10}')
        form = r"^Cost at most (\d+) fields and (\d+) objects: less than 1 % of the 1,000,000 allowed$"
        objects = lambda: int(re.match(form, self.find("#cost").text)[2])
        small = self.wait_until(objects)
        self.write("variables", '{"n": 90}')
        self.wait_until(lambda: objects() == small + 80)
        # What cannot be run has no cost.
        self.write("query", "{ family { nam } }")
        self.wait_until(lambda: self.find("#cost").text == "")
        self.wait_for("#problems", "nam")

    def test_shows_the_times_by_level_and_statement(self):
        self.run_query("{ __typename }")
        self.assertFalse(self.find("#trace-toggle").is_enabled())
        self.sign_in()
        self.run_query("{ family { name children { name } } }")
        # The result, its size and what is copied are as without them.
        self.assertEqual(json.loads(self.text("result")).keys(), {"data"})
        shown = json.dumps(json.loads(self.text("result")), separators=(",", ":"), ensure_ascii=False)
        self.assertIn(f"{len(shown.encode())} bytes", self.find("#status").text)
        self.wait_until(lambda: self.find("#trace-toggle").is_enabled())
        self.assertFalse(self.find("#trace").is_displayed())
        self.find("#trace-toggle").send_keys(Keys.ENTER)
        self.assertEqual([one.text for one in self.all("#trace-levels code")], ["Query.family", "Family.children"])
        self.assertTrue(any("FROM child" in one.text for one in self.all("#trace-statements code")))
        self.assertRegex(self.find("#trace-total").text, r"^The server took [\d.]+ ms, for a cost of \d+ fields and \d+ objects\.$")
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.check(f"times {scheme}")
        self.screenshot("times")

    def test_turns_to_the_next_page(self):
        self.sign_in()
        self.run_query(CHORES)
        first = self.text("result")
        self.find("#next-pages button").send_keys(Keys.ENTER)
        self.wait_until(lambda: self.text("result") != first and "pageInfo" in self.text("result"))
        names = [json.loads(text)["data"]["family"]["chores"]["nodes"] for text in (first, self.text("result"))]
        self.assertEqual([name for name in names[0] if name in names[1]], [])
        self.assertIn("chores(after: \"", self.text("query"))
        self.assertEqual(self.focused().get_attribute("type"), "button")
        self.check("next page")
        # With a variable, it is the variable that changes, until there is no further page.
        self.write("query", CHORES.replace("Int = 2", "Int = 9, $after: String").replace("first: $first", "first: $first, after: $after"))
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: self.text("result").count('"name"') == 9)
        for _ in range(20):
            if not self.all("#next-pages button"):
                break
            before = self.text("result")
            self.find("#next-pages button").click()
            self.wait_until(lambda: self.text("result") != before)
        self.assertIn('"after": "', self.text("variables"))
        self.assertIn("after: $after", self.text("query"))
        self.assertIn('"hasNextPage": false', self.text("result"))

    def test_offers_no_next_page_of_a_list_read_from_its_end(self):
        self.sign_in()
        self.run_query(CHORES)
        self.wait_until(lambda: self.all("#next-pages button"))
        cursor = json.loads(self.text("result"))["data"]["family"]["chores"]["pageInfo"]["endCursor"]
        # Both lists have a next page; a list read from its end does not take `after`.
        info = "{ pageInfo { hasNextPage endCursor } }"
        self.run_query(f'{{ family {{ end: chores(last: 1, before: "{cursor}") {info} start: chores(first: 2) {info} }} }}')
        self.wait_until(lambda: [one.text for one in self.all("#next-pages button")] == ["Next page of family.start"])
        self.assertEqual(self.text("result").count('"hasNextPage": true'), 2)
        page = {"path": ["chores"], "cursor": "c"}
        declared = "query ($first: Int, $last: Int = %s) { chores(first: $first, last: $last) { a } }"
        _, requests = self.driver.execute_async_script(
            PAGES, None,
            [[request, page] for request in (
                {"query": '{ chores(last: 2, before: "x") { a } }'},
                {"query": declared % "2"},
                {"query": declared % "null", "variables": {"last": 2}},
                {"query": declared % "null"},
                {"query": declared % "2", "variables": {"last": None}},
                {"query": "query ($last: Int) { chores(last: $last, before: null) { a } }"},
            )],
        )
        self.assertEqual([request is None for request in requests], [True, True, True, False, False, False])

    def test_finds_pages_and_writes_the_request_for_them(self):
        info = {"hasNextPage": True, "endCursor": "c"}
        data = {
            "family": {"all": {"pageInfo": info, "nodes": [{"inner": {"pageInfo": info}}]}, "done": {"pageInfo": {**info, "hasNextPage": False}}},
            "children": [{"chores": {"pageInfo": info}}],
        }
        page = {"path": ["family", "all"], "cursor": 'a"b'}
        found, requests = self.driver.execute_async_script(
            PAGES, data,
            [[{"query": text}, page] for text in (
                "{ family { all: chores { nodes { id } } } }",
                '{ family { all: chores(after: "x", first: 2) { nodes { id } } } }',
                "{ family { all: chores(first: 2) { nodes { id } } } }",
                "{ family { ...F ... on Family { all: chores { a } } } } fragment F on Family { all: chores { b } }",
                "query ($at: String) { family { all: chores(after: $at) { a } } }",
                "{ family { chores { nodes { id } } } }",
                "query ($at: String) { family { all: chores(after: $at) { a } other: chores(after: $at) { a } } }",
            )],
        )
        self.assertEqual(found, [{"path": ["family", "all"], "cursor": "c"}])
        cursor = '"a\\"b"'
        self.assertEqual([request and request["query"] for request in requests], [
            f"{{ family {{ all: chores(after: {cursor}) {{ nodes {{ id }} }} }} }}",
            f"{{ family {{ all: chores(after: {cursor}, first: 2) {{ nodes {{ id }} }} }} }}",
            f"{{ family {{ all: chores(after: {cursor}, first: 2) {{ nodes {{ id }} }} }} }}",
            f"{{ family {{ ...F ... on Family {{ all: chores(after: {cursor}) {{ a }} }} }} }} fragment F on Family {{ all: chores(after: {cursor}) {{ b }} }}",
            "query ($at: String) { family { all: chores(after: $at) { a } } }",
            None,
            f"query ($at: String) {{ family {{ all: chores(after: {cursor}) {{ a }} other: chores(after: $at) {{ a }} }} }}",
        ])
        self.assertEqual(requests[4]["variables"], {"at": 'a"b'})
        # The other list stays on its page.
        self.assertEqual(requests[6]["variables"], {})


class People(PlaygroundTestCase):
    # A caller who is not signed in.
    expected_errors = ("status of 400", "status of 422", "status of 294")

    def compare(self, left, right):
        for side, person in (("left", left), ("right", right)):
            select = Select(self.find(f"#compare-{side}"))
            select.select_by_visible_text(next(one.text for one in select.options if person in one.text))
        heads = lambda: [head.text.split(":")[0] for head in self.all("#compare-rows th")]
        self.wait_until(lambda: len(heads()) == 2 and left in heads()[0] and right in heads()[1])
        return self.find("#compare-state").text

    def test_runs_a_query_as_two_people(self):
        self.sign_in()
        self.write("query", "{ viewer { ... on Account { name } ... on Child { name } } family { name } }")
        self.press(Keys.F1)
        self.wait_until(lambda: self.find("#palette").is_displayed())
        self.type("two people")
        self.press(Keys.ENTER)
        self.wait_until(lambda: self.find("#compare").is_displayed())
        self.assertEqual(self.compare("Ada", "Mia"), "1 line differs of 10.")
        marked = [[cell.text for cell in row.find_elements("tag name", "mark")] for row in self.all("#compare-rows .differs")]
        self.assertEqual([[text.strip() for text in row] for row in marked], [['"name": "Ada Lovelace"', '"name": "Mia"']])
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.check(f"comparison {scheme}")
        self.screenshot("comparison")
        self.find("#compare-only").send_keys(Keys.SPACE)
        self.assertEqual(len([row for row in self.all("#compare-rows tbody tr") if row.is_displayed()]), 1)
        with self.on_phone():
            self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), PHONE[0])
            self.check("comparison phone")
        self.assertEqual(self.compare("Mia", "Mia"), "Mia, her daughter and Mia, her daughter get the same.")
        self.assertIn("differ", self.compare("Ada", "Nobody"))
        # The page's own session is still Ada's, and no token of another one is kept or stored.
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.find("#compare").is_displayed())
        self.assertIn("Ada", self.find("#session-state").text)
        stored = self.driver.execute_script(STORED)
        self.assertEqual(len(re.findall(r"eyJ[\w-]+\.eyJ", stored)), 1)
        self.assertTrue("ada@example.com" in stored and "Mia" not in stored)

    def test_compares_queries_only(self):
        self.sign_in()
        self.write("query", 'mutation { addItem(input: {name: "Never"}) { item { id } } }')
        self.click("#compare-open")
        self.wait_for("#compare-state", "Only a query can be run as two people")
        self.press(Keys.ESCAPE)
        self.run_items()
        self.assertNotIn("Never", self.text("result"))

    def run_items(self):
        self.write("query", "{ family { items(first: 100) { nodes { name } } } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: '"nodes"' in self.text("result"))

    def test_keeps_a_person_to_compare_with(self):
        self.sign_in("Browning")
        self.click("#keep-and-switch")
        self.wait_for("#session-state", "Not signed in")
        self.assertEqual(self.focused().get_attribute("id"), "identifier")
        self.assertNotIn("hearth.session", self.driver.execute_script(STORED))
        self.sign_in("Mia")
        self.write("query", "{ viewer { ... on Account { email } ... on Child { username } } }")
        self.click("#compare-open")
        options = [one.text for one in Select(self.find("#compare-left")).options]
        # By the name of the account, once, and not as a person of the demo data.
        self.assertEqual(sum("Browning" in text for text in options), 1)
        name = next(text for text in options if "Browning" in text)
        self.assertNotIn("address book", name)
        self.compare(name, "Mia")
        self.wait_for("#compare-rows", "browning@example.com")
        # To sign out ends all sessions of the page.
        self.press(Keys.ESCAPE)
        self.click("#sign-out")
        self.wait_for("#session-state", "Not signed in")
        self.click("#compare-open")
        self.assertIn("address book", " ".join(one.text for one in Select(self.find("#compare-left")).options))

    def test_puts_lines_side_by_side(self):
        for left, right, expected in [
            ("abc", "abc", ["aa", "bb", "cc"]),
            ("abcd", "axcd", ["aa", "bx", "cc", "dd"]),
            ("abd", "abcd", ["aa", "bb", "_c", "dd"]),
            ("abcd", "ad", ["aa", "b_", "c_", "dd"]),
            ("", "ab", ["_a", "_b"]),
            ("axbyc", "apbqqc", ["aa", "xp", "bb", "yq", "_q", "cc"]),
        ]:
            with self.subTest(f"{left} {right}"):
                rows = self.driver.execute_async_script(ROWS, list(left), list(right))
                self.assertEqual(["".join(line or "_" for line in row) for row in rows], expected)
        # What is too much to compare is put together by its number, at once.
        long = [f"{number}" for number in range(3000)]
        rows = self.driver.execute_async_script(ROWS, long, ["x", *long, "y"])
        self.assertEqual((len(rows), rows[0]), (3002, ["0", "x"]))


class Causes(PlaygroundTestCase):
    def test_shows_the_events_beside_the_mutation_that_caused_them(self):
        self.sign_in()
        self.write("query", "subscription Follow { familyChanged { __typename ... on ItemChanged { item { name } } } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "Listening")
        # An event of somebody else, between those of this page.
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.add("Tent", "AddTent")
        self.add_elsewhere("Stove")
        self.add("Rope", "AddRope")
        self.wait_for("#caused-title", "1 event of this mutation")
        self.wait_for("#caused-list summary", "ItemChanged, in Follow, ")
        self.assertIn('"name": "Rope"', self.find("#caused-list pre").text)
        self.check("events of a mutation")
        self.screenshot("caused")
        self.press(Keys.ALT, Keys.SHIFT, ",")
        self.wait_until(lambda: len(self.all("#events button")) == 3)
        self.wait_until(lambda: self.causes() == ["by AddTent", "", "by AddRope"], "not the causes")
        # A query has no events.
        self.press(Keys.ALT, Keys.SHIFT, "t")
        self.write("query", "{ family { name } }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.assertFalse(self.find("#caused").is_displayed())

    def test_says_when_nothing_listens(self):
        self.sign_in()
        self.add("Lamp", "AddLamp")
        self.wait_for("#caused-title", "1 event of this mutation, which no subscription of this page has received")

    def add(self, item, name):
        self.write("query", f'mutation {name} {{ addItem(input: {{name: "{item}"}}) {{ item {{ name }} }} }}')
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: f'"name": "{item}"' in self.text("result"))

    def add_elsewhere(self, item):
        self.driver.execute_async_script(
            """const [item, done] = arguments;
            const { accessToken } = JSON.parse(sessionStorage.getItem("hearth.session"));
            fetch("/graphql", {
              method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${accessToken}` },
              body: JSON.stringify({ query: `mutation { addItem(input: {name: "${item}"}) { item { id } } }` }),
            }).then(() => done());""",
            item,
        )

    def causes(self):
        """The oldest first."""
        texts = "return Array.from(document.querySelectorAll('#events button'), (one) => one.querySelector('small')?.textContent ?? '')"
        return self.driver.execute_script(texts)[::-1]


if __name__ == "__main__":
    unittest.main()
