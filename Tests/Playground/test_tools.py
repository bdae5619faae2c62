"""Tools around a request: input objects and search in the builder, refactorings, environments, tables, the schema's changes and graph."""

import csv
import io
import json

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE, RECORD, PlaygroundTestCase
from test_features import Downloads

# Refactors documents: each { change, text, at, variables }, with the caret behind `at`.
REFACTOR = """
const [documents, done] = arguments;
Promise.all([import("/graphql/playground/language/refactoring.js"), import("/graphql/playground/schema/load.js")])
  .then(async ([refactoring, { loadSchema }]) => {
    const schema = await loadSchema();
    done(documents.map(({ change, text, at, variables }) =>
      refactoring[change]({ text, caret: text.indexOf(at) + at.length, schema, variables })));
  });
"""


class ToolTestCase(PlaygroundTestCase):
    def command(self, text):
        self.press(Keys.F1)
        self.wait_until(lambda: self.find("#palette").is_displayed())
        self.type(text)
        self.press(Keys.ENTER)

    def variables(self):
        text = self.text("variables")
        return json.loads(text) if text else {}

    def build(self, kind="query"):
        self.write("query", "")
        self.click("#tab-builder")
        self.wait_until(lambda: self.find("#builder-operation option"))
        Select(self.find("#builder-operation")).select_by_visible_text(kind)

    def tick(self, path):
        self.wait_until(lambda: self.find(f'[data-path="{path}"]')).click()


class Builder(ToolTestCase):
    def test_builds_input_objects(self):
        self.sign_in()
        self.build("mutation")
        self.tick("addChore")
        # The required fields have values at once, and stay.
        self.wait_until(lambda: self.variables() == {"input": {"name": ""}})
        self.assertFalse(self.find('[data-path="$input.name"]').is_enabled())
        self.find('[data-path="=input.name"]').send_keys("Sweep")
        self.tick("$input.priority")
        self.find('[data-path="=input.priority"]').send_keys(Keys.CONTROL, "a")
        self.find('[data-path="=input.priority"]').send_keys("7")
        self.tick("$input.frequency")
        Select(self.find('[data-path="=input.frequency"]')).select_by_visible_text("WEEKLY")
        self.tick("$input.assigneeIds")
        ids = self.find('[data-path="=input.assigneeIds"]')
        ids.send_keys(Keys.BACKSPACE)
        self.assertEqual(ids.get_attribute("aria-invalid"), "true")
        ids.send_keys("]")
        expected = {"name": "Sweep", "priority": 7, "frequency": "WEEKLY", "assigneeIds": []}
        self.wait_until(lambda: self.variables() == {"input": expected})
        self.screenshot("builder-input")
        self.check("builder with input objects")
        # What is written under Variables is shown, too.
        self.write("variables", json.dumps({"input": expected | {"notes": "The stairs"}}))
        self.wait_until(lambda: self.find('[data-path="=input.notes"]').get_attribute("value") == "The stairs")
        self.tick("addChore/userErrors")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: '"userErrors"' in self.text("result"))
        # Without the field, its variable has no value either.
        self.find('[data-path="addChore"]').click()
        self.wait_until(lambda: self.text("query") == "" and self.variables() == {})

    def test_builds_lists_of_input_objects(self):
        self.build("mutation")
        self.tick("assignPoints")
        self.wait_until(lambda: self.variables() == {"input": {"childId": "", "chores": []}})
        self.click("#builder button", "Add an item")
        self.wait_until(lambda: self.variables()["input"]["chores"] == [{"choreId": "", "points": 0}])
        self.find('[data-path="=input.chores.0.choreId"]').send_keys("c")
        self.click("#builder button", "Add an item")
        self.wait_until(lambda: [one["choreId"] for one in self.variables()["input"]["chores"]] == ["c", ""])
        self.click("#builder button", "Remove")
        self.wait_until(lambda: [one["choreId"] for one in self.variables()["input"]["chores"]] == [""])

    def test_sets_one_field_of_a_one_of_input(self):
        self.build("mutation")
        self.tick("addChild")
        self.wait_until(lambda: self.variables()["input"]["birth"] == {"dateOfBirth": ""})
        self.tick("$input.birth.age")
        self.wait_until(lambda: self.variables()["input"]["birth"] == {"age": 0})
        self.tick("$input.birth.dateOfBirth")
        self.wait_until(lambda: self.variables()["input"]["birth"] == {"dateOfBirth": ""})

    def test_finds_fields_by_the_words_of_their_paths(self):
        self.build()
        self.find("#builder-search").send_keys("children points")
        self.wait_for("#builder label", "family › children › points")
        self.screenshot("builder-search")
        self.check("search in the builder")
        self.tick("family/children/points")
        built = "query {\n  family {\n    children {\n      points\n    }\n  }\n}\n"
        self.wait_until(lambda: self.text("query") == built)
        self.assertTrue(self.find('[data-path="family/children/points"]').is_selected())
        self.find("#builder-search").send_keys(" nowhere")
        self.wait_for("#builder p", "No field contains these words.")
        self.find("#builder-search").clear()
        self.find("#builder-search").send_keys(" ")
        self.wait_until(lambda: self.find('[data-path="family"]').is_selected())


class Refactorings(ToolTestCase):
    def put(self, text, at):
        """Writes a document, and puts the caret behind a part of it."""
        self.write("query", text)
        self.press(Keys.CONTROL, Keys.HOME)
        for _ in range(text.index(at) + len(at)):
            self.press(Keys.ARROW_RIGHT)

    def words(self, editor="query"):
        return " ".join(self.text(editor).split())

    def test_a_value_becomes_a_variable_and_back(self):
        document = '{ family { chores(first: 2, filter: {status: DONE}) { totalCount } } }'
        self.put(document, "DONE")
        self.command("extract the value")
        extracted = "query ($status: ChoreStatus) { family { chores(first: 2, filter: { status: $status }) { totalCount } } }"
        self.wait_until(lambda: self.words() == extracted)
        self.assertEqual(self.variables(), {"status": "DONE"})
        # The caret is at the variable: the command is undone by its opposite, and a value of an enum has no quotation marks.
        self.press(Keys.CONTROL, Keys.HOME)
        for _ in range(extracted.index("$status") + 2):
            self.press(Keys.ARROW_RIGHT)
        self.command("inline the variable")
        self.wait_until(lambda: self.words() == "query { family { chores(first: 2, filter: { status: DONE }) { totalCount } } }")
        self.assertEqual(self.variables(), {})
        # A whole object; a second variable has a name of its own.
        self.put("query ($filter: Int) { family { chores(filter: {status: DONE}) { totalCount } } }", "filter: {")
        self.press(Keys.ARROW_LEFT)
        self.command("extract the value")
        self.wait_until(lambda: "$filter2: ChoreFilter" in self.words() and "chores(filter: $filter2)" in self.words())
        self.assertEqual(self.variables(), {"filter2": {"status": "DONE"}})

    def test_a_selection_becomes_a_fragment_and_back(self):
        self.put("{ family { name children { name points } } }", "points")
        self.command("extract the selection")
        extracted = "{ family { name children { ...ChildFields } } } fragment ChildFields on Child { name points }"
        self.wait_until(lambda: self.words() == extracted)
        self.put(self.text("query"), "...Child")
        self.command("inline the fragment")
        self.wait_until(lambda: self.words() == "{ family { name children { name points } } }")
        # On another type it stays conditional; one that is spread elsewhere stays defined.
        self.put("{ viewer { ...C } a: viewer { ...C } }\nfragment C on Child { points }", "...C")
        self.command("inline the fragment")
        self.wait_until(lambda: self.words().startswith("{ viewer { ... on Child { points } } a: viewer { ...C } } fragment C"))

    def refactor(self, *documents):
        """Each is a change, a text, a part of it that the caret is behind, and the variables."""
        keys = ("change", "text", "at", "variables")
        return self.driver.execute_async_script(REFACTOR, [dict(zip(keys, one)) for one in documents])

    def test_an_extracted_value_is_the_same(self):
        values = {
            '"""\n    one\n      two\n\n\n    three\n    """': "one\n  two\n\n\nthree",
            '"""  one\n   two\n  three"""': "  one\n two\nthree",
            '"""one \\""" two"""': 'one """ two',
            '"""\n \n"""': "",
            '"\\u{1F600} \\uD83D\\uDE00 \\\\u{1} \\u{22}\t\\n"': '\U0001F600 \U0001F600 \\u{1} "\t\n',
        }
        text = "{ viewer { ... on Account { contacts(query: %s first: 2) { totalCount } } } }"
        changed = self.refactor(*[("extractVariable", text % literal, literal, {}) for literal in values])
        self.assertEqual([one["variables"] for one in changed], [{"query": value} for value in values.values()])
        # JavaScript rounds integers beyond 2^53: as strings, those for an ID keep their digits.
        large, small = "9007199254740993", "7"
        text = "mutation { assignPoints(input: {childId: %s, chores: [{choreId: %s, points: 1}]}) { __typename } }" % (large, small)
        changed = self.refactor(("extractVariable", text, "(input", {}), ("extractVariable", text, large, {}))
        whole = {"childId": large, "chores": [{"choreId": 7, "points": 1}]}
        self.assertEqual([one["variables"] for one in changed], [{"input": whole}, {"childId": large}])
        # A variable in a @oneOf input must not be null; a name that follows at once stays one.
        text = 'mutation { addChild(input: {birth: {dateOfBirth:"2018-05-01"}name: "Mia"}) { __typename } }'
        [changed] = self.refactor(("extractVariable", text, '"2018', {}))
        self.assertIn("$dateOfBirth: Date!", changed["text"])
        [changed] = self.refactor(("extractVariable", "{ family { chores(first:20after: null) { totalCount } } }", ":2", {}))
        self.assertIn("chores(first: $first, after: null)", changed["text"])

    def test_the_variables_of_other_operations_stay(self):
        both = "query A($n: Int) { family { chores(first: $n) { totalCount } } } query B($n: Int) { family { chores(first: $n) { totalCount } } }"
        extracted = "query A($first: Int) { family { chores(first: $first) { totalCount } } } query B { family { chores(first: 7) { totalCount } } }"
        changed = self.refactor(
            ("inlineVariable", both, "first: $n", {"n": 3}),
            ("extractVariable", extracted, "7", {"first": 3}),
            ("extractVariable", "{ family { chores(first: 7) { totalCount } } }", "7", {"first": 3}),
            ("inlineVariable", both, "first: $n", {"n": "{{count}}"}),
        )
        self.assertEqual([one.get("variables") for one in changed], [{"n": 3}, {"first": 3, "first2": 7}, {"first": 3, "first2": 7}, None])
        self.assertIn("query B($first2: Int) {", changed[1]["text"])
        self.assertIn("$n contains a value of the environment", changed[3]["problem"])

    def test_an_inlined_fragment_is_apart_and_stays_where_it_is_used(self):
        text = "{ family { id...F } a: family { ... # why\n F } } fragment F on Family {name}"
        [changed] = self.refactor(("inlineFragment", text, "...F", {}))
        self.assertEqual(
            " ".join(changed["text"].split()),
            "{ family { id name } a: family { ... # why F } } fragment F on Family { name }",
        )

    def test_descriptions_belong_to_their_definitions(self):
        text = '"""of the query"""\nquery A { family { ...F } }\n"of the fragment"\nfragment F on Family { name }'
        last = '"of the fragment"\n# why\nfragment F on Family { name }\n"of the query"\nquery A { family { ...F } }'
        changed = self.refactor(("inlineFragment", text, "...F", {}), ("inlineFragment", last, "...F", {}))
        expected = ['"""of the query""" query A { family { name } }', '"of the query" query A { family { name } }']
        self.assertEqual([" ".join(one["text"].split()) for one in changed], expected)
        # As are those of operations whose fragments are merged.
        self.write("query", text)
        self.click("#merge")
        self.wait_until(lambda: self.words() == expected[0])

    def test_says_why_not(self):
        for text, at, command, reason in [
            ("{ viewer { __typename } }", "viewer", "extract the value", "Put the caret on a value"),
            ("query ($n: Int) { family { chores(first: $n) { totalCount } } }", "$n", "inline the variable", "$n has no value"),
            ("{ viewer { __typename } }", "viewer", "inline the fragment", "Put the caret on a spread fragment"),
        ]:
            with self.subTest(command):
                self.put(text, at)
                self.command(command)
                self.wait_for("#toast", reason)
                self.assertEqual(self.text("query"), text)


class Environments(ToolTestCase):
    def environment(self, name, values):
        self.click("#environment-add")
        self.wait_until(lambda: self.find("#ask").is_displayed())
        self.type(name)
        self.press(Keys.ENTER)
        self.wait_until(lambda: self.find("#environment option:checked").text == name)
        self.write("environment-values", json.dumps(values))

    def sent_headers(self):
        before = self.driver.execute_script("return window.sent.length")
        self.press(Keys.CONTROL, Keys.ENTER)
        return self.wait_until(lambda: self.driver.execute_script("return window.sent[arguments[0]]", before))

    def test_headers_contain_values_of_the_chosen_environment(self):
        self.driver.execute_script(RECORD)
        self.write("query", "{ __typename }")
        self.click("#tab-headers")
        self.write("headers", '{"X-Tenant": "{{tenant}}-{{ n }}"}')
        self.wait_for("#headers-error", "There is no value named tenant")
        self.click("#tab-environment")
        self.environment("Local", {"tenant": "here", "n": 1})
        self.environment("Far", {"tenant": "there", "n": 2})
        self.screenshot("environments")
        self.check("environments")
        self.assertEqual(self.sent_headers()["x-tenant"], "there-2")
        self.command("environment: local")
        self.assertEqual(self.sent_headers()["x-tenant"], "here-1")
        self.reload()
        self.click("#tab-environment")
        self.wait_until(lambda: self.find("#environment option:checked").text == "Local")
        self.click("#environment-remove")
        self.click("#tab-headers")
        self.wait_for("#headers-error", "There is no value named tenant")

    def test_variables_contain_values_of_the_chosen_environment(self):
        self.driver.execute_script(RECORD)
        self.sign_in()
        query = "query ($first: Int!, $filter: ChoreFilter) { family { chores(first: $first, filter: $filter) { totalCount } } }"
        self.write("query", query)
        self.write("variables", '{\n  "first": "{{n}}",\n  "filter": {"statuses": ["{{status}}"], "query": "{{a}}, {{n}}"}\n}')
        self.wait_for("#variables-error", "There is no value named n, which the variables contain.")
        self.assertEqual(self.find("#variables-error button").text, "Line 2")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "There is no value named n")
        self.click("#tab-environment")
        self.environment("Local", {"n": 3, "status": "SOON", "a": "one"})
        # A text that is nothing else has the type of the value. The server checks what will be sent.
        self.click("#tab-variables")
        self.wait_for("#variables-error", "SOON")
        self.click("#tab-environment")
        self.write("environment-values", '{"n": 3, "status": "DONE", "a": "one"}')
        self.wait_until(lambda: self.find("#variables-error").get_property("textContent") == "")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        ran = self.driver.execute_script("return window.run.at(-1).variables")
        self.assertEqual(ran, {"first": 3, "filter": {"statuses": ["DONE"], "query": "one, 3"}})
        self.click("#tab-variables")
        # What was typed is kept, also in the history.
        self.assertIn("{{n}}", self.text("variables"))
        self.command("copy as curl")
        self.wait_for("#toast", "curl copied.")
        copied = self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        self.assertIn('"first": 3', copied)
        # A reference to a secret is not one: it is kept.
        self.write("variables", '{"password": "{{password}}"}')
        self.reload()
        self.wait_until(lambda: self.text("variables") == '{"password": "{{password}}"}')

    def test_two_windows_share_them(self):
        stored = "return JSON.parse(localStorage.getItem('hearth.environments')).list.map(({ name, text }) => [name, text])"
        first = self.driver.current_window_handle
        self.click("#tab-environment")
        self.environment("Secret", {"token": "of mine"})
        self.environment("Local", {"n": 1})
        with self.second_window() as second:
            self.click("#tab-environment")
            self.wait_until(lambda: self.find("#environment option:checked").text == "Local")
            self.environment("Far", {"n": 2})
            self.driver.switch_to.window(first)
            # The choice and the caret stay where they are.
            self.wait_until(lambda: len(self.all("#environment option")) == 4)
            self.assertEqual(self.find("#environment option:checked").text, "Local")
            self.type(Keys.ARROW_LEFT + ', "m": 3')
            self.assertEqual(self.text("environment-values"), '{"n": 1, "m": 3}')
            names = ["Secret", "Local", "Far"]
            self.assertEqual(self.driver.execute_script(stored), list(map(list, zip(names, ["", '{"n": 1, "m": 3}', '{"n": 2}']))))
            # What the other window has changed, and not stored, is here as it was.
            self.driver.switch_to.window(second)
            self.command("environment: local")
            self.wait_until(lambda: self.text("environment-values") == '{"n": 1, "m": 3}')
            self.write("environment-values", '{"n": 4}')
            self.driver.switch_to.window(first)
            self.wait_until(lambda: self.text("environment-values") == '{"n": 4}')
            self.command("environment: secret")
            self.wait_until(lambda: self.text("environment-values") == '{"token": "of mine"}')
            # One that the other window has removed is not chosen any more.
            self.command("environment: far")
            self.driver.switch_to.window(second)
            self.command("environment: far")
            self.click("#environment-remove")
            self.driver.switch_to.window(first)
            self.wait_until(lambda: self.find("#environment option:checked").text == "None")

    def test_stores_no_secret(self):
        self.click("#tab-environment")
        self.environment("Local", {"token": "of mine"})
        self.reload()
        self.click("#tab-environment")
        self.wait_until(lambda: self.find("#environment option:checked").text == "Local")
        self.assertNotIn("of mine", self.driver.execute_script("return JSON.stringify({...localStorage, ...sessionStorage})"))


class Tables(ToolTestCase):
    def column(self, number):
        return [cell.text for cell in self.all(f"#table tbody td:nth-child({number})")]

    def test_shows_lists_as_tables(self):
        self.sign_in()
        self.write("query", "{ __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_for("#status", "200")
        self.assertFalse(self.find("#table-toggle").is_enabled())
        self.write(
            "query",
            "{ family { children { name points avatar { width } assignedChores { nodes { name } } }"
            " chores(first: 3) { nodes { name priority } } } }",
        )
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: self.find("#table-toggle").is_enabled())
        self.click("#table-toggle")
        lists = [option.text for option in self.all("#table-list option")]
        self.assertEqual(lists, ["family.children", "family.chores.nodes"])
        heads = [head.text for head in self.all("#table th")]
        self.assertEqual(heads, ["name", "points", "avatar.width", "assignedChores.nodes"])
        self.assertEqual(self.column(1), ["Mia", "Ben", "Zoë"])
        self.assertTrue(self.column(4)[0].endswith(("item", "items")))
        self.assertFalse(self.find("#result").is_displayed())
        self.screenshot("table")
        self.check("table")
        # Sorted by a column, both ways, by keyboard too.
        self.click("#table th button", "name")
        self.wait_until(lambda: self.column(1) == ["Ben", "Mia", "Zoë"])
        self.focused().send_keys(Keys.ENTER)
        self.wait_until(lambda: self.column(1) == ["Zoë", "Mia", "Ben"])
        self.assertEqual(self.find("#table th").get_attribute("aria-sort"), "descending")
        with Downloads(self) as downloaded:
            self.click("#table-save")
            rows = list(csv.reader(io.StringIO(downloaded("list.csv"))))
        self.assertEqual([row[0] for row in rows], ["name", "Zoë", "Mia", "Ben"])
        Select(self.find("#table-list")).select_by_visible_text("family.chores.nodes")
        self.wait_until(lambda: len(self.column(1)) == 3)
        self.wait_for("#table-count", "3 rows")
        # A result without a list is shown as JSON again.
        self.write("query", "{ __typename }")
        self.press(Keys.CONTROL, Keys.ENTER)
        self.wait_until(lambda: self.find("#result").is_displayed() and not self.find("#table-panel").is_displayed())

    def test_fits_a_phone(self):
        self.sign_in()
        self.size(PHONE)
        self.write("query", "{ family { children { name points avatar { url width height } } } }")
        self.find("#run").click()
        self.wait_until(lambda: self.find("#table-toggle").is_enabled())
        self.click("#table-toggle")
        self.wait_until(lambda: self.column(1))
        self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), PHONE[0])
        self.screenshot("table-phone")


class SchemaTools(ToolTestCase):
    def test_shows_how_the_schema_has_changed(self):
        stored = "return JSON.parse(localStorage.getItem('hearth.schema') ?? sessionStorage.getItem('hearth.schema'))"
        self.wait_until(lambda: self.driver.execute_script(stored))
        self.assertFalse(self.find("#schema-changes").is_displayed())
        # As if it had been seen with another field and another type.
        head = "type Family implements Node {"
        former = self.driver.execute_script(stored).replace(head, head + "\n  motto: String", 1)
        former = former.replace("scalar Upload", "scalar Moment\nscalar Upload", 1)
        self.assertIn("motto", former)
        self.driver.execute_script("localStorage.setItem('hearth.schema', JSON.stringify(arguments[0]))", former)
        self.reload()
        self.click("#tab-docs")
        self.wait_for("#schema-changes-title", "2 changes of the schema, 2 breaking")
        self.click("#schema-changes-title")
        self.wait_for("#schema-changes-list li", "Family.motto removed breaking")
        self.wait_for("#schema-changes-list li", "Moment removed breaking")
        self.screenshot("schema-changes")
        self.check("changes of the schema")
        self.click("#schema-changes-seen")
        self.wait_until(lambda: not self.find("#schema-changes").is_displayed())
        self.reload()
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        self.assertFalse(self.find("#schema-changes").is_displayed())

    def test_distinguishes_changes_that_break_clients(self):
        """By the module itself: each change of a member, with whether it can break a client."""
        before = (
            "type Query { a: Int b: Int! c(x: Int): Int d: [Int!] e(x: Int!): Int } input I { f: Int g: Int! h: Int = 1 }"
            " enum E { ONE TWO } union U = Query | T type T { x: Int }"
        )
        after = (
            "type Query { a: Int! b: Int c(x: Int, y: Int!): Int d: [Int] e(x: Int): Int z: Int } input I { f: Int! g: Int h: Int i: Int! }"
            ' enum E { ONE THREE } union U = T type T { x: Int @deprecated(reason: "old") } type N { x: Int }'
        )
        found = self.driver.execute_async_script(
            "const [before, after, done] = arguments;"
            "const load = (name) => import(`/graphql/playground/schema/${name}.js`);"
            "Promise.all([load('schema'), load('diff')]).then(([{ Schema }, { differences }]) =>"
            " done(differences(new Schema(before), new Schema(after)).map(({ what, how, isBreaking }) => [what, how, isBreaking])),"
            " (error) => done(String(error)))",
            before,
            after,
        )
        expected = [
            ["Query.b", "was Int!, is Int", True],
            ["Query.c.y", "added, and required", True],
            ["Query.d", "was [Int!], is [Int]", True],
            ["I.f", "was Int, is Int!", True],
            ["I.i", "added, and required", True],
            ["E.TWO", "removed", True],
            ["U", "no longer contains Query", True],
            ["Query.a", "was Int, is Int!", False],
            ["Query.e.x", "was Int!, is Int", False],
            ["Query.z", "added", False],
            ["I.g", "was Int!, is Int", False],
            ["I.h", "default was 1, is none", False],
            ["E.THREE", "added", False],
            ["T.x", "deprecated: old", False],
            ["N", "added", False],
        ]
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual([one[2] for one in found], sorted((one[2] for one in found), reverse=True))

    def test_shows_types_as_a_graph(self):
        self.click("#tab-docs")
        self.click("#docs button", "family")
        self.wait_for("#docs h3", "Query")
        self.click("#docs button", "Graph")
        self.wait_until(lambda: self.find("#graph-title").text == "Query")
        self.click("#graph-targets button", "Family")
        self.wait_until(lambda: self.find("#graph-title").text == "Family")
        self.assertIn("Query", [one.text.split(" ")[0] for one in self.all("#graph-users button")])
        self.wait_for("#graph-fields li", "children: [Child!]!")
        lines = len(self.all("#graph-lines path"))
        fields = len(self.all("#graph-fields [data-to]"))
        self.assertEqual(lines, fields + len(self.all("#graph-users button")))
        self.screenshot("graph")
        self.check("graph")
        # Each line begins and ends beside what it connects.
        ends = self.driver.execute_script(
            "const area = document.getElementById('graph-area').getBoundingClientRect();"
            "const field = [...document.querySelectorAll('#graph-fields [data-to=Child]')][0].getBoundingClientRect();"
            "const target = document.querySelector('#graph-targets [data-type=Child]').getBoundingClientRect();"
            "const paths = [...document.querySelectorAll('#graph-lines path')].map((path) => path.getBoundingClientRect());"
            "return paths.some((path) => Math.abs(path.right - target.left) < 3 && path.left >= field.right - 3"
            " && path.top - 3 <= field.top + field.height / 2 && field.top + field.height / 2 <= path.bottom + 3)"
        )
        self.assertTrue(ends)
        self.find("#graph-targets [data-type=Child]").send_keys(Keys.ENTER)
        self.wait_until(lambda: self.find("#graph-title").text == "Child")
        self.assertEqual(self.focused().get_attribute("id"), "graph-title")
        self.click("#graph-back")
        self.wait_until(lambda: self.find("#graph-title").text == "Family")
        self.click("#graph-docs")
        self.wait_for("#docs h3", "Family")
        self.command("type graph")
        self.wait_until(lambda: self.find("#graph-title").text == "Family")
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.find("#graph").is_displayed())

    def test_shows_the_whole_schema_by_topic(self):
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        self.command("type graph")
        self.click("#graph-whole")
        self.assertEqual(self.find("#graph-whole").get_attribute("aria-pressed"), "true")
        topics = [title.text.lower() for title in self.all("#map-topics h3")]
        self.assertEqual((topics[0], topics[1:].count("operations")), ("operations", 0))
        self.assertIn("chores", topics)
        types = [node.get_attribute("data-type") for node in self.all("#map-topics [data-type]")]
        self.assertEqual(len(types), len(set(types)))
        self.assertTrue({"Query", "Chore", "Viewer"} <= set(types) and not {"AddChoreInput", "ChoreConnection"} & set(types))
        # The lines of the type that has the focus: a family's chores are within a page, which is left out.
        self.driver.execute_script("document.querySelector('#map-topics [data-type=Family]').focus()")
        near = lambda: {node.get_attribute("data-type") for node in self.all("#map-topics .near")}
        self.wait_until(lambda: {"Chore", "Child", "Query"} <= near())
        lines = [line.get_attribute("class") for line in self.all("#map-lines path")]
        self.assertIn(f"Family refers to {lines.count('out')} types", self.find("#map-about").text)
        self.assertTrue(lines.count("in") >= 1 and len(near()) <= len(lines))
        self.screenshot("map")
        self.check("map of the schema")
        self.click("#map-area label", "Inputs")
        self.wait_until(lambda: self.find("#map-topics [data-type=AddChoreInput]"))
        self.find("#map-topics [data-type=Chore]").send_keys(Keys.ENTER)
        self.wait_until(lambda: self.find("#graph-title").text == "Chore" and not self.find("#map-area").is_displayed())
        self.assertEqual(self.focused().get_attribute("id"), "graph-title")
        self.click("#graph-back")
        self.wait_until(lambda: self.find("#graph-title").text == "Query")

    def test_shows_and_searches_the_schema_definition(self):
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        self.find("#source-open").send_keys(Keys.ENTER)
        self.wait_until(lambda: self.find("#source").is_displayed() and len(self.all("#source .cm-line")) > 10)
        self.assertEqual(len(self.driver.window_handles), 1)
        Select(self.find("#source-types")).select_by_visible_text("Chore")
        self.wait_until(lambda: "type Chore implements Node {" in self.text("source-text"))
        # A long text is highlighted in the background.
        coloured = "return Array.from(document.querySelectorAll('#source :is(.t-word, .t-type)'), (part) => part.textContent)"
        self.wait_until(lambda: {"type", "Chore", "Node"} <= set(self.driver.execute_script(coloured)))
        self.screenshot("schema-definition")
        self.check("schema definition")
        self.click("#source-find")
        self.wait_until(lambda: self.focused().get_attribute("name") == "search")
        self.type("input AddChoreInput")
        self.press(Keys.ENTER)
        self.wait_for("#source .cm-searchMatch-selected", "input AddChoreInput")
        # Escape closes the search, then the dialog.
        self.press(Keys.ESCAPE)
        self.assertTrue(self.find("#source").is_displayed())
        with Downloads(self) as downloaded:
            self.click("#source a[download]")
            self.assertIn("type Mutation", downloaded("schema.graphql"))
        self.press(Keys.ESCAPE)
        self.wait_until(lambda: not self.find("#source").is_displayed())
        # From the documentation of a type, at its definition.
        self.find("#docs-search").send_keys("rewardlevel", Keys.ENTER)
        self.wait_for("#docs h3", "RewardLevel")
        self.command("schema definition")
        self.wait_until(lambda: "type RewardLevel {" in self.text("source-text"))

    def test_the_graph_shows_the_type_itself_on_a_phone(self):
        self.size(PHONE)
        self.click("#tab-docs")
        self.wait_for("#docs summary", "Queries")
        self.command("type graph")
        self.wait_for("#graph-fields li", "family: Family")
        place = "const { left, right } = document.querySelector(arguments[0]).getBoundingClientRect(); return [left, right]"
        left, right = self.driver.execute_script(place, "#graph-area .center")
        self.assertTrue(0 <= left < right <= PHONE[0], (left, right))

    def test_fields_have_the_descriptions_of_their_interface(self):
        self.click("#tab-docs")
        self.find("#docs-search").send_keys("child", Keys.ENTER)
        self.wait_for("#docs h3", "Child")
        fields = [one.text.split("\n") for one in self.all("#docs .members > li")]
        self.assertEqual([lines[0] for lines in fields if len(lines) < 2], [])


if __name__ == "__main__":
    import unittest

    unittest.main()
